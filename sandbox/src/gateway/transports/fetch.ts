import type { Engine } from '../engine/engine.js'
import type { GatewayRequest } from '../wire/request.js'
import type { WireResponse } from '../wire/response.js'

/** A `fetch` that the sandbox answers. */
export type SandboxFetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>

const EMPTY = new Uint8Array(0)
const bodiless = new Set([204, 205, 304])

/**
 * The engine as a `fetch` without a network. A connection that breaks is a TypeError whose cause has a `code`, as
 * in Node's own fetch.
 */
export function createFetch(engine: Engine, closing: AbortSignal, maxBodyBytes: number): SandboxFetch {
  return async (input, init) => {
    const request =
      typeof input === 'object' && 'url' in input && init === undefined ? input : new Request(input, init)
    const { signal } = request
    signal.throwIfAborted()
    if (closing.aborted) throw broken('ECONNREFUSED', 'The sandbox is closed.')
    const reading = read(request, maxBodyBytes)
    const engineRequest = await orEnd(reading, signal, closing)
    const exchange = engine.handle(engineRequest)
    const lost = () => exchange.end(false)
    try {
      const reply = await orEnd(exchange.reply, signal, closing)
      if (reply.ending === 'drop') throw broken('ECONNRESET', 'read ECONNRESET')
      if (reply.ending === 'stall') return await orEnd(new Promise<never>(() => {}), signal, closing)
      const body = reply.ending === 'whole' ? wholeBody(reply) : brokenBody(reply, signal, closing, lost)
      const response = new Response(body, { status: reply.status, headers: reply.headers })
      if (reply.ending === 'whole') exchange.end(true)
      return response
    } catch (error) {
      lost()
      throw error
    }
  }
}

async function read(request: Request, maxBodyBytes: number): Promise<GatewayRequest> {
  const { pathname, search } = new URL(request.url)
  const sent = request.body === null ? EMPTY : new Uint8Array(await request.arrayBuffer())
  const oversized = sent.length > maxBodyBytes
  return {
    method: request.method,
    path: pathname + search,
    headers: Object.fromEntries(request.headers),
    body: oversized ? EMPTY : sent,
    oversized,
  }
}

function wholeBody(reply: WireResponse): string | null {
  // Response would add a content type to an empty string.
  return bodiless.has(reply.status) || reply.body === '' ? null : reply.body
}

/** Half of the body, and then an error: at once, or for a stall when the caller aborts or the sandbox closes. */
function brokenBody(
  reply: WireResponse,
  signal: AbortSignal,
  closing: AbortSignal,
  ended: () => void,
): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(reply.body)
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  let stop = () => {}
  let isFirst = true
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      // In a turn of its own: an error in the same turn would discard it.
      if (isFirst && half.length > 0) {
        isFirst = false
        controller.enqueue(half)
        return undefined
      }
      if (reply.ending === 'cut-body') {
        ended()
        controller.error(broken('ECONNRESET', 'The other side closed the connection.', 'terminated'))
        return undefined
      }
      return new Promise<void>((resolve) => {
        stop = onEnd(signal, closing, (reason) => {
          ended()
          controller.error(reason)
          resolve()
        })
      })
    },
    cancel() {
      ended()
      stop()
    },
  })
}

/** The result of `work`, unless the caller aborts or the sandbox closes before. */
function orEnd<T>(work: Promise<T>, signal: AbortSignal, closing: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = onEnd(signal, closing, reject)
    work.then(resolve, reject).finally(stop)
  })
}

/** Calls `end` once with the reason, and returns a function that stops listening. */
function onEnd(signal: AbortSignal, closing: AbortSignal, end: (reason: unknown) => void): () => void {
  const aborted = () => finish(signal.reason)
  const closed = () => finish(broken('ECONNRESET', 'The sandbox was closed.'))
  const stop = () => {
    signal.removeEventListener('abort', aborted)
    closing.removeEventListener('abort', closed)
  }
  const finish = (reason: unknown) => {
    stop()
    end(reason)
  }
  signal.addEventListener('abort', aborted)
  closing.addEventListener('abort', closed)
  if (signal.aborted) aborted()
  else if (closing.aborted) closed()
  return stop
}

function broken(code: string, message: string, outer = 'fetch failed'): TypeError {
  return new TypeError(outer, { cause: Object.assign(new Error(message), { code }) })
}
