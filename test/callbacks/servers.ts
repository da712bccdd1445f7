import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import type { CallbackReceiver } from '../../src/callbacks/index.js'

/** A server with a receiver on `/gateway/callbacks`. */
export interface Mounted {
  readonly origin: string
  readonly port: number
  close(): Promise<void>
}

/** Mounts a receiver; with a JSON body parser that has the request before the receiver does, or without. */
export type Mount = (receiver: CallbackReceiver, hasParser: boolean) => Promise<Mounted>

const path = '/gateway/callbacks'
const host = '127.0.0.1'

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

const mountNode: Mount = async (receiver, hasParser) => {
  const handle = receiver.node()
  if (!hasParser) return listening(createServer(handle))
  return listening(
    createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => handle(request, response))
    }),
  )
}

export const mounts: Readonly<Record<string, Mount>> = {
  'Express 5': mountExpress,
  'Fastify 5': mountFastify,
  'Hono on Node': mountHono,
  'node:http': mountNode,
}

export async function listening(server: Server): Promise<Mounted> {
  server.listen(0, host)
  await once(server, 'listening')
  return { ...addressOf(server), close: () => stop(server) }
}

function addressOf(server: Server): { origin: string; port: number } {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return { origin: `http://${host}:${address.port}`, port: address.port }
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
