import { createServer } from 'node:http'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { describe } from 'vitest'
import { testMounted } from '../callbacks/mounted.js'
import { addressOf, host, listening, type Mount, path, stop } from '../callbacks/servers.js'

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
