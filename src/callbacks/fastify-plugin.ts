import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Receive } from './answer.js'
import { nodeHandler } from './node-handler.js'

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
    // Before the parsing, so that no parser can refuse a callback for its content. `done` is not called:
    // the request is ours from here on.
    instance.addHook('onRequest', ({ raw }, reply) => {
      reply.hijack()
      handle(raw, reply.raw)
    })
    instance.all('/*', neverReached)
    // Methods that Fastify has no routes for.
    instance.setNotFoundHandler(neverReached)
    done()
  }
}

function neverReached(): void {}
