/** Never run: the compiler reads it, and holds the handlers to the types of the frameworks themselves. */
import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { serve } from '@hono/node-server'
import express, { type RequestHandler } from 'express'
import fastify, { type FastifyInstance, type FastifyPluginCallback } from 'fastify'
import { Hono } from 'hono'
import {
  CallbackReceiver,
  type CallbackReceiverOptions,
  type FastifyLikeInstance,
  MemoryDedupeStore,
} from '../../src/callbacks/index.js'
import type { GatewayClient, Payin, Payout } from '../../src/index.js'

declare const client: GatewayClient
declare const receiver: CallbackReceiver

export function express5(): void {
  const handler: RequestHandler = receiver.express()
  express().use('/gateway/callbacks', handler)
  express().all('/gateway/callbacks/*path', receiver.express())
  express.Router().use(express.json(), receiver.express())
}

export function fastify5(instance: FastifyInstance): void {
  const plugin: FastifyPluginCallback = receiver.fastify()
  const like: FastifyLikeInstance = instance
  void fastify().register(plugin, { prefix: '/gateway/callbacks' })
  void fastify().register(receiver.fastify(), { prefix: '/gateway/callbacks' })
  void like
}

export function hono(): void {
  const app = new Hono()
  app.all('/gateway/callbacks/*', ({ req }) => receiver.fetch(req.raw))
  app.mount('/gateway/callbacks', receiver.fetch)
  serve({ fetch: receiver.fetch })
}

export function node(): void {
  createServer(receiver.node())
  createServer((request, response) => receiver.node()(request, response))
  // @ts-expect-error node:http2 has other requests: mount the compatibility layer of a framework
  createHttp2Server(receiver.node())
}

/** As Next, Bun and Deno declare it. */
export function fetchStyle(): void {
  type NextRoute = (request: Request, context: { params: Promise<unknown> }) => Response | Promise<Response>
  type BunServe = { fetch(request: Request, server: object): Response | Promise<Response> }
  type DenoHandler = (request: Request, info: { remoteAddr: object }) => Response | Promise<Response>
  type Worker = { fetch(request: Request, env: unknown, context: object): Response | Promise<Response> }
  const next: { GET: NextRoute; POST: NextRoute } = { GET: receiver.fetch, POST: receiver.fetch }
  const bun: BunServe = { fetch: receiver.fetch }
  const deno: DenoHandler = receiver.fetch
  const worker: Worker = { fetch: receiver.fetch }
  void [next, bun, deno, worker]
}

export async function functionsAndUrls(): Promise<void> {
  const made = new CallbackReceiver({
    client,
    publicUrl: new URL('https://shop.example/gateway/callbacks'),
    secrets: ['a secret', new Uint8Array(32)],
    dedupe: new MemoryDedupeStore(),
    onPayin: async (payin, { idPayin, isNew, signal }) => {
      const all: [Payin, string, boolean, AbortSignal] = [payin, idPayin, isNew, signal]
      // @ts-expect-error a payin has no idPayout
      await Promise.resolve(all).then(({ idPayout }) => idPayout)
    },
    onPayout: (payout, { idPayout }) => {
      const all: [Payout, string] = [payout, idPayout]
      return all
    },
  })
  made.urlFor({ idPayin: 'a' })
  made.urlFor({ idPayout: 'a' })
  // @ts-expect-error one payment at a time
  made.urlFor({ idPayin: 'a', idPayout: 'b' })
  // @ts-expect-error an id has a kind
  made.urlFor('a')
  for await (const { ref, payment, final, error } of made.catchUp([{ idPayin: 'a' }])) {
    const status: string | undefined = payment?.process?.status
    void [ref, final, error, status]
  }
  // @ts-expect-error options are spelled right
  const options: CallbackReceiverOptions = { client, publicUrl: '', lookUpDeadlineMs: 1 }
  void options
}
