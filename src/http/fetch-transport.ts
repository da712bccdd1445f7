import { AttemptFailed, type TransportResponse } from './failure.js'
import type { TransportRequest, Wire } from './transport.js'
import { refuseAborted } from './waits.js'

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
  #accepted = false

  constructor(request: TransportRequest, maxBytes: number) {
    this.#request = request
    this.#maxBytes = maxBytes
  }

  async run(fetch: typeof globalThis.fetch, origin: string): Promise<TransportResponse> {
    const { signal, timeoutMs, onSent } = this.#request
    refuseAborted(signal)
    let timer: NodeJS.Timeout | undefined
    let onAbort: (() => void) | undefined
    const ended = new Promise<never>((_, reject) => {
      // fetch does not tell when it writes, so from the call on the request may have arrived.
      timer = setTimeout(() => {
        reject(new AttemptFailed({ kind: 'timeout', sent: true }))
      }, timeoutMs)
      onAbort = () => {
        const cause: unknown = signal?.reason
        reject(new AttemptFailed({ kind: 'aborted', sent: true, cause }))
      }
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

  async #exchange(fetch: typeof globalThis.fetch, origin: string): Promise<TransportResponse> {
    const { method, path, headers, body } = this.#request
    try {
      const response = await fetch(origin + path, {
        method,
        headers,
        body: body ?? null,
        redirect: 'manual',
        signal: this.#controller.signal,
      })
      this.#accepted = response.ok
      const shell = {
        // A browser-like fetch hides the status of a redirect that it was told not to follow.
        status: response.type === 'opaqueredirect' ? 302 : response.status,
        headers: { get: (name: string) => response.headers.get(name) ?? undefined },
      }
      return { ...shell, body: await this.#read(response, shell) }
    } catch (cause) {
      if (cause instanceof AttemptFailed) throw cause
      const sent = !neverConnected(cause)
      throw new AttemptFailed({ kind: 'connection', sent, cause })
    }
  }

  async #read(response: Response, shell: Omit<TransportResponse, 'body'>): Promise<string> {
    if (response.body === null) return ''
    const decoder = new TextDecoder()
    let text = ''
    let bytes = 0
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      bytes += value.length
      if (bytes > this.#maxBytes) {
        // Of a refusal the status is enough; a success is no use without its body.
        if (!this.#accepted) return ''
        throw new AttemptFailed({ kind: 'too-large', response: { ...shell, body: '' } })
      }
      text += decoder.decode(value, { stream: true })
    }
  }
}

/** Codes that Node gives only to a connection that was never made. */
const connectCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Whether the error, or one that it came from, says that no connection was made. */
export function neverConnected(error: unknown): boolean {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    if ('code' in current && typeof current.code === 'string' && connectCodes.has(current.code)) return true
    current = current.cause
  }
  return false
}
