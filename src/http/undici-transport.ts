import { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import type { ResponseHeaders, TransportResponse } from './failure.js'
import type { TransportFailure, TransportRequest, Wire } from './transport.js'

export interface UndiciWireOptions {
  readonly origin: string
  readonly maxResponseBytes: number
  /** The client's limit of an attempt: no connection may take longer. */
  readonly timeoutMs: number
  /** The caller's own, for a proxy or a client certificate. It is not closed here. */
  readonly dispatcher: Dispatcher | undefined
}

/**
 * The default transport: one keep-alive pool, and undici's `dispatch`. Below its `request`, because
 * only `dispatch` says when a request starts to be written, and with it whether an attempt that
 * failed may have arrived; and because it reads a small JSON body without a stream.
 */
export function undiciWire({ origin, maxResponseBytes, timeoutMs, dispatcher }: UndiciWireOptions): Wire {
  let pool: Dispatcher | undefined
  let opening: Promise<Dispatcher> | undefined
  const connecting = new Set<Socket>()
  let unstarted = 0
  /** A connection that everybody has given up would keep the process until it is made. */
  const onStarted = () => {
    unstarted--
    if (unstarted === 0) for (const socket of connecting) socket.destroy()
  }
  const open = () => {
    // By its file: Bun has a module of its own under the bare name, which can't dispatch.
    opening ??= import('undici/index.js').then(({ Pool, buildConnector }) => {
      const connector = buildConnector({ timeout: Math.min(longestConnectMs, timeoutMs) })
      const connect: typeof connector = (options, callback) => {
        const socket: unknown = connector(options, (...result) => {
          if (socket instanceof Socket) connecting.delete(socket)
          callback(...result)
        })
        if (socket instanceof Socket) connecting.add(socket)
      }
      // Time limits are ours: they bound the whole attempt, which undici's two do not.
      pool = new Pool(origin, { headersTimeout: 0, bodyTimeout: 0, connect })
      return pool
    })
    return opening
  }
  return {
    send(request) {
      return new Promise((resolve) => {
        const { signal } = request
        // No event would tell of it any more.
        if (signal?.aborted === true) {
          resolve({ kind: 'aborted', sent: false, cause: signal.reason })
          return
        }
        const exchange = new UndiciExchange(request, { maxResponseBytes, onStarted, resolve })
        unstarted++
        // The caller's own dispatcher may have interceptors that write into the headers.
        if (dispatcher !== undefined) exchange.dispatch(dispatcher, origin, { ...request.headers })
        else if (pool !== undefined) exchange.dispatch(pool, origin)
        else {
          open().then(
            (opened) => exchange.dispatch(opened, origin),
            (cause) => {
              opening = undefined
              exchange.onUnloadable(cause)
            },
          )
        }
      })
    },
    async close() {
      // Whatever is still in the pool has been given up by everybody: close() would wait for it.
      await (await opening?.catch(() => undefined))?.destroy()
    },
  }
}

const longestConnectMs = 10_000

interface ExchangeEnds {
  readonly maxResponseBytes: number
  /** The request has begun to be written, or never will. */
  readonly onStarted: () => void
  readonly resolve: (came: TransportResponse | TransportFailure) => void
}

/** One request from dispatch to the last byte; settles its promise exactly once. */
class UndiciExchange implements Dispatcher.DispatchHandler {
  readonly #request: TransportRequest
  readonly #ends: ExchangeEnds
  readonly #timer: NodeJS.Timeout
  readonly #onAbort: (() => void) | undefined
  #controller: Dispatcher.DispatchController | undefined
  #settled = false
  #status = 0
  #headers: Record<string, string | string[] | undefined> = {}
  #first: Buffer | undefined
  #more: Buffer[] | undefined
  #bytes = 0

  constructor(request: TransportRequest, ends: ExchangeEnds) {
    this.#request = request
    this.#ends = ends
    this.#timer = setTimeout(UndiciExchange.#onTimeout, request.timeoutMs, this)
    const { signal } = request
    if (signal !== undefined) {
      this.#onAbort = () => this.#fail({ kind: 'aborted', sent: this.#sent, cause: signal.reason })
      signal.addEventListener('abort', this.#onAbort)
    }
  }

  static #onTimeout(exchange: UndiciExchange): void {
    exchange.#fail({ kind: 'timeout', sent: exchange.#sent })
  }

  dispatch(dispatcher: Dispatcher, origin: string, headers = this.#request.headers): void {
    if (this.#settled) return
    const { method, path, body } = this.#request
    const options: Dispatcher.DispatchOptions & { readonly maxRedirections: 0 } = {
      origin,
      method,
      path,
      headers,
      body: body ?? null,
      headersTimeout: 0,
      bodyTimeout: 0,
      // The caller's own dispatcher may follow redirects, and would take signature and body along.
      maxRedirections: 0,
    }
    try {
      dispatcher.dispatch(options, this)
    } catch (cause) {
      this.onResponseError(undefined, cause)
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (!this.#settled) this.#ends.onStarted()
    // The caller gave up while the connection was being made: nothing is written.
    if (this.#settled) controller.abort(new Error('given up before it was sent'))
    else this.#request.onSent()
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length
    if (this.#bytes > this.#ends.maxResponseBytes) {
      this.#cutShort()
    } else if (this.#first === undefined) {
      this.#first = chunk
    } else {
      this.#more ??= []
      this.#more.push(chunk)
    }
  }

  onResponseEnd(): void {
    if (!this.#settle()) return
    const first = this.#first
    const body =
      this.#more === undefined || first === undefined ? first : Buffer.concat([first, ...this.#more])
    this.#ends.resolve(this.#response(body === undefined ? '' : body.toString('utf8')))
  }

  onResponseError(_controller: unknown, cause: unknown): void {
    this.#fail({ kind: 'connection', sent: this.#sent, cause })
  }

  /** undici itself could not be loaded. */
  onUnloadable(cause: unknown): void {
    this.#fail({ kind: 'unloadable', cause })
  }

  /** Of a refusal the status is enough; a success is no use without its body. */
  #cutShort(): void {
    if (this.#status >= 200 && this.#status < 300) {
      this.#fail({ kind: 'too-large', response: this.#response('') })
    } else if (this.#settle()) {
      this.#ends.resolve(this.#response(''))
      this.#controller?.abort(new Error('the rest is not read'))
    }
  }

  #response(body: string): TransportResponse {
    return { status: this.#status, body, headers: new UndiciHeaders(this.#headers) }
  }

  get #sent(): boolean {
    return this.#controller !== undefined
  }

  #fail(failure: TransportFailure): void {
    if (!this.#settle()) return
    this.#ends.resolve(failure)
    this.#controller?.abort(new Error('given up'))
  }

  #settle(): boolean {
    if (this.#settled) return false
    this.#settled = true
    clearTimeout(this.#timer)
    if (this.#controller === undefined) this.#ends.onStarted()
    if (this.#onAbort !== undefined) this.#request.signal?.removeEventListener('abort', this.#onAbort)
    return true
  }
}

class UndiciHeaders implements ResponseHeaders {
  readonly #raw: Record<string, string | string[] | undefined>

  constructor(raw: Record<string, string | string[] | undefined>) {
    this.#raw = raw
  }

  get(name: string): string | undefined {
    const value = this.#raw[name]
    return Array.isArray(value) ? value[0] : value
  }
}
