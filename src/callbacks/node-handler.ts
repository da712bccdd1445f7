import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CallbackAnswer, Receive } from './answer.js'

/** A handler of `node:http`, Express and Connect. It always answers, and never calls `next`. */
export type NodeHandler = (
  request: IncomingMessage & {
    /** The whole path, where a router has cut it. */
    readonly originalUrl?: string
  },
  response: ServerResponse,
) => void

/** Nothing of a callback's content is used; this much is read of it before the answer. */
const mostBodyBytes = 64 * 1024
/** How long a caller may go on sending after the answer, so that it hears it. */
const lingerMs = 1000

export function nodeHandler(receive: Receive): NodeHandler {
  return (request, response) => {
    const stopReading = readAndForget(request)
    // Express cuts the path where a router is mounted; the whole one is kept beside it.
    const answer = receive(request.originalUrl ?? request.url ?? '')
    void answer.then((result) => {
      const end = () => {
        stopReading()
        send(result, request, response)
      }
      // What came together with the head is parsed after this turn, and then the connection can be kept.
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

function send({ status, headers }: CallbackAnswer, request: IncomingMessage, response: ServerResponse): void {
  // The caller has gone, or a middleware has lost patience and answered.
  if (response.headersSent || response.destroyed) return
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('cache-control', 'no-store')
  if (status !== 204) response.setHeader('content-length', 0)
  if (request.complete) response.end()
  else answerEarly(request, response)
  // What is left of the body has to be out of the way of the next request.
  request.resume()
}

/**
 * Answers while the body is still on its way. Closing now would reset the connection under a caller that
 * is sending, and take the answer with it; so the answer goes out, and the end waits a little.
 */
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
