import type { TransportResponse } from './failure.js'
import type { TransportFailure, TransportRequest, Wire } from './transport.js'

export interface FetchWireOptions {
  readonly origin: string
  readonly maxResponseBytes: number
  readonly fetch: typeof globalThis.fetch
}

/** The transport over a `fetch` that was handed in: msw, the sandbox in process, edge runtimes. */
export function fetchWire({ origin, maxResponseBytes, fetch }: FetchWireOptions): Wire {
  return {
    send: (request) => new FetchExchange(request, maxResponseBytes).run(fetch, origin),
    close: () => Promise.resolve(),
  }
}

/** One request; the time limit and the caller's signal end it even where `fetch` ignores its signal. */
class FetchExchange {
  readonly #request: TransportRequest
  readonly #maxBytes: number
  readonly #controller = new AbortController()

  constructor(request: TransportRequest, maxBytes: number) {
    this.#request = request
    this.#maxBytes = maxBytes
  }

  async run(fetch: typeof globalThis.fetch, origin: string): Promise<TransportResponse | TransportFailure> {
    const { signal, timeoutMs, onSent } = this.#request
    // No event would tell of it any more.
    if (signal?.aborted === true) return { kind: 'aborted', sent: false, cause: signal.reason }
    let timer: NodeJS.Timeout | undefined
    let onAbort: (() => void) | undefined
    const ended = new Promise<TransportFailure>((resolve) => {
      // fetch does not tell when it writes, so from the call on the request may have arrived.
      timer = setTimeout(() => resolve({ kind: 'timeout', sent: true }), timeoutMs)
      onAbort = () => resolve({ kind: 'aborted', sent: true, cause: signal?.reason })
      signal?.addEventListener('abort', onAbort)
    })
    try {
      onSent()
      return await Promise.race([this.#exchange(fetch, origin), ended])
    } finally {
      clearTimeout(timer)
      if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort)
      // Frees the connection where the answer was not read to its end; otherwise it does nothing.
      this.#controller.abort()
    }
  }

  async #exchange(
    fetch: typeof globalThis.fetch,
    origin: string,
  ): Promise<TransportResponse | TransportFailure> {
    const { method, path, headers, body } = this.#request
    try {
      const response = await fetch(origin + path, {
        method,
        headers,
        body: body ?? null,
        redirect: 'manual',
        signal: this.#controller.signal,
      })
      // A browser-like fetch hides the status of a redirect that it was told not to follow; and what comes
      // from a fetch that followed one all the same is the word of another server.
      const redirected = response.type === 'opaqueredirect' || isOfElsewhere(response, origin)
      const shell = {
        status: redirected ? 302 : response.status,
        headers: { get: (name: string) => response.headers.get(name) ?? undefined },
      }
      if (redirected) return { ...shell, body: '' }
      const text = await this.#read(response)
      if (text !== undefined) return { ...shell, body: text }
      // Of a refusal the status is enough; a success is no use without its body.
      return response.ok ? { kind: 'too-large', response: { ...shell, body: '' } } : { ...shell, body: '' }
    } catch (cause) {
      return { kind: 'connection', sent: !neverConnected(cause), cause }
    }
  }

  /** The body; undefined when it is larger than may be read. */
  async #read(response: Response): Promise<string | undefined> {
    if (response.body === null) return ''
    const decoder = new TextDecoder()
    let text = ''
    let bytes = 0
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      bytes += value.length
      if (bytes > this.#maxBytes) return undefined
      text += decoder.decode(value, { stream: true })
    }
  }
}

/** Responses that were made by hand, as in tests, have no URL. */
function isOfElsewhere({ redirected, url }: Response, origin: string): boolean {
  return redirected || (URL.canParse(url) && new URL(url).origin !== origin)
}

/** Codes that Node gives only to a connection that was never made, or whose certificate did not fit. */
const connectCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** Whether the error, or one that it came from, says that no connection was made. */
function neverConnected(error: unknown): boolean {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    if ('code' in current && typeof current.code === 'string' && connectCodes.has(current.code)) return true
    current = current.cause
  }
  return false
}
