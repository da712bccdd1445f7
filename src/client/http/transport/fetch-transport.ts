import type { TransportResponse } from '../failure.js'
import { connectionAdvice, neverConnected } from './connect-errors.js'
import type { Transport, TransportFailure, TransportRequest } from './transport.js'
import { discard, endIdle, listen, type OnWire, runFetch } from './undici-diagnostics.js'

export interface FetchTransportOptions {
  readonly origin: string
  readonly maxResponseBytes: number
  readonly fetch: typeof globalThis.fetch
}

export function fetchTransport(options: FetchTransportOptions): Transport {
  listen(true)
  const shared = { ...options, connections: new WarmConnections() }
  return { send: (request) => new FetchRequest(request, shared).run(), close: () => Promise.resolve() }
}

interface Shared extends FetchTransportOptions {
  readonly connections: WarmConnections
}

/** A fetch other than Node's doesn't tell when it writes. By this time a request without a warm connection has most probably arrived. */
const longestOnTheWayMs = 1000

/** Made once: most requests have been answered by the time that it is given, and its stack takes longer than they do. */
const requestEnded = new DOMException('The request has ended.', 'AbortError')

/** One request; the time limit and the caller's signal end it even where `fetch` ignores its signal. */
class FetchRequest {
  readonly #request: TransportRequest
  readonly #shared: Shared
  readonly #controller = new AbortController()
  readonly #onWire: OnWire

  constructor(request: TransportRequest, shared: Shared) {
    this.#request = request
    this.#shared = shared
    const { method, path, onSent } = request
    this.#onWire = { method, path, owner: shared, onWritten: onSent }
  }

  async run(): Promise<TransportResponse | TransportFailure> {
    const { connections } = this.#shared
    const { signal, timeoutMs, mayBegin, onSent } = this.#request
    // It has fired, so no event will come.
    if (signal?.aborted === true) return { kind: 'aborted', sent: false, cause: signal.reason }
    if (!mayBegin()) return { kind: 'permit-expired' }
    let timer: NodeJS.Timeout | undefined
    let onAbort: (() => void) | undefined
    const ended = new Promise<TransportFailure>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'timeout', sent: this.#giveUp() }), timeoutMs)
      onAbort = () => resolve({ kind: 'aborted', sent: this.#giveUp(), cause: signal?.reason })
      signal?.addEventListener('abort', onAbort)
    })
    const arrival = setTimeout(() => {
      if (this.#onWire.isExpected !== true) onSent()
    }, longestOnTheWayMs)
    let usable = false
    try {
      if (connections.begin(performance.now())) onSent()
      const result = await Promise.race([this.#fetch(), ended])
      usable = !('kind' in result)
      return result
    } finally {
      connections.end(usable)
      clearTimeout(timer)
      clearTimeout(arrival)
      if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort)
      this.#onWire.hasEnded = true
      // Its connection keeps the record, and must not keep what the request held.
      this.#onWire.onWritten = undefined
      // Frees the connection where the response was not read to its end; otherwise it does nothing.
      this.#controller.abort(requestEnded)
    }
  }

  /** Ends the request. @returns whether it may have arrived: not where undici would have told, and told of no writing. */
  #giveUp(): boolean {
    const { isExpected, socket } = this.#onWire
    this.#controller.abort(requestEnded)
    return socket !== undefined || isExpected !== true
  }

  async #fetch(): Promise<TransportResponse | TransportFailure> {
    const { origin, fetch, connections } = this.#shared
    const { method, path, headers: shared, body, onSent, freshConnection = false } = this.#request
    const onWire = this.#onWire
    if (freshConnection) endIdle(this.#shared)
    // Some that tell nothing of their connections open one for a request that says so.
    const headers = freshConnection ? { ...shared, connection: 'close' } : shared
    try {
      const response = await runFetch(onWire, fetch, origin + path, {
        method,
        headers,
        body: body ?? null,
        redirect: 'manual',
        signal: this.#controller.signal,
      })
      onSent()
      if (onWire.isExpected !== true) connections.answered(performance.now())
      // A browser-like fetch hides the status of a redirect that it was told not to follow; and what comes
      // from a fetch that followed one all the same is the word of another server.
      const redirected = response.type === 'opaqueredirect' || isOfElsewhere(response, origin)
      const shell = {
        status: redirected ? 302 : response.status,
        headers: { get: (name: string) => response.headers.get(name) ?? undefined },
        discard: () => discard(onWire),
      }
      if (redirected) return { ...shell, body: '' }
      const text = await this.#read(response)
      // What comes after a refusal could be its copy, and would make the next create 'not-accepted'.
      if (!response.ok) discard(onWire)
      if (text !== undefined) return { ...shell, body: text }
      // Of a refusal the status is enough; a success is no use without its body.
      return response.ok ? { kind: 'too-large', response: { ...shell, body: '' } } : { ...shell, body: '' }
    } catch (cause) {
      const sent = onWire.socket !== undefined || !neverConnected(cause)
      return { kind: 'connection', sent, cause, advice: connectionAdvice(cause, sent) }
    }
  }

  async #read(response: Response): Promise<string | undefined> {
    if (response.body === null) return ''
    const decoder = new TextDecoder()
    const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
    let text = ''
    for (let length = 0; ; ) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      length += value.length
      if (length > this.#shared.maxResponseBytes) return undefined
      text += decoder.decode(value, { stream: true })
    }
  }
}

/** Responses that were made by hand, as in tests, have no URL. */
function isOfElsewhere({ redirected, url }: Response, origin: string): boolean {
  return redirected || (URL.canParse(url) && new URL(url).origin !== origin)
}

/** Whether a fetch that doesn't tell is likely to write at once: a moment ago it has answered as many requests at a time. */
class WarmConnections {
  #underWay = 0
  #seen = 0
  #answeredAt = Number.NEGATIVE_INFINITY

  begin(now: number): boolean {
    this.#underWay++
    if (now - this.#answeredAt > keptMs) this.#seen = 0
    return this.#underWay <= this.#seen
  }

  answered(now: number): void {
    this.#seen = Math.max(this.#seen, this.#underWay)
    this.#answeredAt = now
  }

  end(usable: boolean): void {
    this.#underWay--
    if (!usable) this.#seen = Math.max(0, this.#seen - 1)
  }
}

/** For how long an idle connection is kept at least, by the servers and runtimes that keep any. */
const keptMs = 2000
