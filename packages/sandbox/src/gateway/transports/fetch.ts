import { Limit } from '../../common/limit.js'
import type { Engine } from '../engine/engine.js'
import type { GatewayRequest } from '../wire/request.js'
import { bodiless, type WireResponse } from '../wire/response.js'

/** A `fetch` that the sandbox answers. */
export type SandboxFetch = (input: Request | string | URL, init?: RequestInit) => Promise<Response>

const EMPTY = new Uint8Array(0)

/** A connection that breaks is a TypeError whose cause has a `code`, as in Node's own fetch. */
export function createFetch(engine: Engine, closing: AbortSignal, maxBodyBytes: number): SandboxFetch {
  return async (input, init) => {
    const request =
      typeof input === 'object' && 'url' in input && init === undefined ? input : new Request(input, init)
    const { signal } = request
    signal.throwIfAborted()
    if (closing.aborted) throw broken('ECONNREFUSED', 'The sandbox is closed.')
    const limit = new Limit({ signals: [signal, closing] })
    const ended = new Promise<never>((_, reject) => {
      limit.signal.addEventListener('abort', () =>
        reject(signal.aborted ? signal.reason : broken('ECONNRESET', 'The sandbox was closed.')),
      )
    })
    let exchange: ReturnType<Engine['handle']> | undefined
    const end = (isWhole: boolean) => {
      limit.release()
      exchange?.end(isWhole)
    }
    try {
      exchange = engine.handle(await Promise.race([read(request, maxBodyBytes), ended]))
      const reply = await Promise.race([exchange.reply, ended])
      if (reply.ending === 'drop') throw broken('ECONNRESET', 'read ECONNRESET')
      if (reply.ending === 'stall') return await ended
      const isWhole = reply.ending === 'whole'
      const body = isWhole ? wholeBody(reply) : brokenBody(reply, ended, () => end(false))
      const response = new Response(body, { status: reply.status, headers: reply.headers })
      if (isWhole) end(true)
      return response
    } catch (error) {
      end(false)
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
function brokenBody(reply: WireResponse, ended: Promise<never>, end: () => void): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(reply.body)
  const half = bytes.subarray(0, Math.floor(bytes.length / 2))
  let isFirst = true
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      // In a turn of its own: an error in the same turn would discard it.
      if (isFirst && half.length > 0) {
        isFirst = false
        controller.enqueue(half)
        return undefined
      }
      const fail = (reason: unknown) => {
        end()
        controller.error(reason)
      }
      if (reply.ending !== 'cut-body') return ended.catch(fail)
      fail(broken('ECONNRESET', 'The other side closed the connection.', 'terminated'))
      return undefined
    },
    cancel: end,
  })
}

function broken(code: string, message: string, outer = 'fetch failed'): TypeError {
  return new TypeError(outer, { cause: Object.assign(new Error(message), { code }) })
}
