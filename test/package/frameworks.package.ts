import { createServer } from 'node:http'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { testMounted } from '../callbacks/mounted.js'
import { addressOf, host, listening, type Mount, path, stop } from '../callbacks/servers.js'
import { payinRequest, shop } from '../callbacks/support.js'

const mountExpress: Mount = async (receiver, hasParser) => {
  const app = express()
  // Reads and parses everything, whatever it is called, and refuses what is not JSON or too long.
  if (hasParser) app.use(express.json({ type: () => true, strict: false, limit: '4mb' }))
  app.use(path, receiver.express())
  return listening(createServer(app))
}

const mountFastify: Mount = async (receiver, hasParser) => {
  // Fastify has a JSON parser from the start; without it, it takes no content type at all.
  const app = fastify()
  if (!hasParser) app.removeAllContentTypeParsers()
  app.register(receiver.fastify(), { prefix: path })
  await app.listen({ port: 0, host })
  return { ...addressOf(app.server), close: () => app.close() }
}

const mountHono: Mount = async (receiver, hasParser) => {
  const app = new Hono()
  if (hasParser) {
    app.use(async ({ req }, next) => {
      await req.json().catch(() => undefined)
      await next()
    })
  }
  app.all(`${path}/*`, ({ req }) => receiver.fetch(req.raw))
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: host }, () => {
      if ('closeAllConnections' in server) resolve({ ...addressOf(server), close: () => stop(server) })
    })
  })
}

describe('Express 5', () => testMounted(mountExpress, { parserComesFirst: true }))
describe('Fastify 5', () => testMounted(mountFastify))
describe('Hono on Node', () => testMounted(mountHono))

test('28: a body parser in front breaks nothing, because the body is not needed', async () => {
  await using merchant = shop()
  const { client, receiver } = merchant
  await client.payins.create({ ...payinRequest('order-1'), callbackUrl: 'https://elsewhere.example' })
  const app = express().use(express.json(), express.text(), express.raw(), express.urlencoded())
  app.use('/gateway/callbacks', receiver.express())
  const server = await listening(createServer(app))
  const { pathname } = new URL(receiver.urlFor({ idPayin: 'order-1' }))
  for (const type of ['application/json', 'text/plain', 'application/octet-stream', 'text/xml']) {
    const request = { method: 'POST', body: '{"a":1}', headers: { 'content-type': type } }
    expect((await fetch(server.origin + pathname, request)).status, type).toBe(204)
  }
  await server.close()
})
