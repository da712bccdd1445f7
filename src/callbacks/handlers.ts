import type { IncomingMessage, ServerResponse } from 'node:http'
import { ConfigurationError } from '../index.js'

/** The response to a callback. The body is always empty. */
export interface CallbackResponse {
  /**
   * HTTP status: 204 dealt with, 404 not signed by this receiver, 500 the function failed, 501 there is no function
   * for this kind of payment, 503 come again.
   */
  readonly status: 204 | 404 | 500 | 501 | 503
  /** Response headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

export type Receive = (requestTarget: string) => Promise<CallbackResponse>

/** A handler of `node:http`, Express and Connect. It always answers, and never calls `next`. */
export type NodeHandler = (
  request: IncomingMessage & {
    /** The whole path, where a router has cut it. */
    readonly originalUrl?: string
  },
  response: ServerResponse,
) => void

/** So much of a body is read before the response, and thrown away. */
const mostBodyBytes = 64 * 1024
/** How long a caller may go on sending after the response. */
const lingerMs = 1000

export function nodeHandler(receive: Receive): NodeHandler {
  return (request, response) => {
    const stopReading = readAndForget(request)
    const received = receive(request.originalUrl ?? request.url ?? '')
    void received.then((result) => {
      const end = () => {
        stopReading()
        send(result, request, response)
      }
      // A body that came with the head is read after this turn, and then the connection can be kept.
      if (request.complete) end()
      else setImmediate(end)
    })
  }
}

/** Reads the body and throws it away, up to a limit. A body parser may have read it before. */
function readAndForget(request: IncomingMessage): () => void {
  let bytes = 0
  const onData = (chunk: Uint8Array | string) => {
    bytes += chunk.length
    if (bytes > mostBodyBytes) request.pause()
  }
  request.on('error', () => undefined)
  request.on('data', onData)
  return () => request.off('data', onData)
}

function send(
  { status, headers }: CallbackResponse,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  // The caller has gone, or a middleware has lost patience and answered.
  if (response.headersSent || response.destroyed) return
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('cache-control', 'no-store')
  if (status !== 204) response.setHeader('content-length', 0)
  if (request.complete) response.end()
  else answerEarly(request, response)
  // The next request comes behind the rest of the body.
  request.resume()
}

/** Closing the connection under a caller that still sends would take the response with it, so the end waits a little. */
function answerEarly(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false
  response.flushHeaders()
  const end = () => {
    clearTimeout(timer)
    request.off('end', end).off('close', end)
    response.end()
  }
  const timer = setTimeout(end, lingerMs)
  timer.unref()
  request.on('end', end).on('close', end)
}

/** The body is not touched: these servers throw it away, and some close the connection where it is cancelled. */
export function fetchHandler(receive: Receive): (request: Request) => Promise<Response> {
  return async ({ url }) => {
    const { status, headers } = await receive(url)
    return new Response(null, { status, headers: { ...headers, 'cache-control': 'no-store' } })
  }
}

/** What the plugin needs of a Fastify request. */
export interface FastifyLikeRequest {
  /** The request of `node:http`. */
  readonly raw: IncomingMessage
}

/** What the plugin needs of a Fastify reply. */
export interface FastifyLikeReply {
  /** The response of `node:http`. */
  readonly raw: ServerResponse
  /** Takes the reply out of Fastify's hands. */
  hijack(): unknown
}

/** What the plugin needs of a Fastify instance, so that Fastify itself is not needed for the types. */
export interface FastifyLikeInstance {
  /** Adds a hook for requests below the prefix. */
  addHook(
    name: 'onRequest',
    hook: (request: FastifyLikeRequest, reply: FastifyLikeReply, done: () => void) => void,
  ): unknown
  /** Adds a route for every method. */
  all(path: string, handler: () => void): unknown
  /** Sets what answers requests without a route. */
  setNotFoundHandler(handler: () => void): unknown
}

/** A Fastify plugin that answers every path below its prefix. */
export type FastifyCallbackPlugin = (
  instance: FastifyLikeInstance,
  options: unknown,
  done: () => void,
) => void

export function fastifyPlugin(receive: Receive): FastifyCallbackPlugin {
  const handle = nodeHandler(receive)
  return (instance, _options, done) => {
    // Before any parser can refuse a callback for its content. The hook's `done` is not called: the request is ours.
    instance.addHook('onRequest', ({ raw }, reply) => {
      reply.hijack()
      handle(raw, reply.raw)
    })
    instance.all('/*', neverReached)
    instance.setNotFoundHandler(neverReached)
    done()
  }
}

function neverReached(): void {}

/** Handed over in place of what it makes, a method would never answer. */
export function checkBrackets(method: 'node' | 'express' | 'fastify', args: readonly unknown[]): void {
  if (args.length === 0) return
  throw new ConfigurationError(
    `${method} stands without brackets, so no callback is answered and your function is told of no payment; write callbacks.${method}().`,
    { option: method },
  )
}
