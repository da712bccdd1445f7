import type { Dispatcher } from 'undici'
import type { TransportResponse } from '../failure.js'
import { ByteBuffer } from './byte-buffer.js'
import { connectionAdvice } from './connect-errors.js'
import type { RequestHandler, UsableConnection } from './connection.js'
import { type ConnectionSource, Connections, type ConnectionUser } from './connections.js'
import { DispatcherConnections } from './dispatcher-connections.js'
import type { Transport, TransportFailure, TransportRequest } from './transport.js'

export interface UndiciTransportOptions {
  readonly origin: string
  readonly maxResponseBytes: number
  /** The client's limit of an attempt: no connection may take longer. */
  readonly timeoutMs: number
  /** How many connections there may be; a request that finds none waits, within its own time. */
  readonly maxConnections: number
  /** The caller's own, for a proxy or a client certificate. It is not closed here. */
  readonly dispatcher: Dispatcher | undefined
  /** In place of those that it would open. */
  readonly connections?: Connections
}

/**
 * The default transport: keep-alive connections, and undici's `dispatch`. Below its `request`, because
 * only `dispatch` says when a request starts to be written, and with it whether an attempt that failed
 * may have arrived; and because it reads a small JSON body without a stream.
 *
 * @throws what importing undici throws.
 */
export async function undiciTransport(options: UndiciTransportOptions): Promise<Transport> {
  const { origin, maxResponseBytes, dispatcher } = options
  const connections: ConnectionSource =
    options.connections ??
    (dispatcher === undefined ? await openConnections(options) : new DispatcherConnections(dispatcher))
  return {
    connect: connections.connect,
    send(request) {
      return new Promise((resolve) => {
        const { signal } = request
        // It has fired, so no event will come.
        if (signal?.aborted === true) resolve({ kind: 'aborted', sent: false, cause: signal.reason })
        else connections.take(new UndiciRequest(request, { origin, maxResponseBytes, connections, resolve }))
      })
    },
    // Whatever is still open has been given up by everybody.
    close: () => connections.close(),
  }
}

const longestConnectMs = 10_000

async function openConnections({
  origin,
  timeoutMs,
  maxConnections,
}: UndiciTransportOptions): Promise<Connections> {
  // By its file: Bun has a module of its own under the bare name, which can't dispatch.
  const { Client, buildConnector } = await import('undici/index.js')
  return new Connections({
    origin,
    connect: buildConnector({ timeout: Math.min(longestConnectMs, timeoutMs) }),
    // Time limits are ours: they bound the whole attempt, which undici's two do not.
    open: (connect) => new Client(origin, { headersTimeout: 0, bodyTimeout: 0, connect }),
    most: maxConnections,
  })
}

interface UndiciRequestParts {
  readonly origin: string
  readonly maxResponseBytes: number
  readonly connections: ConnectionSource
  readonly resolve: (result: TransportResponse | TransportFailure) => void
}

/** One request from dispatch to the last byte; settles its promise exactly once. */
class UndiciRequest implements RequestHandler, ConnectionUser {
  /** Whether it wants a connection that nothing was written on. */
  readonly wantsFresh: boolean
  readonly #request: TransportRequest
  readonly #parts: UndiciRequestParts
  readonly #timer: NodeJS.Timeout
  readonly #onAbort: (() => void) | undefined
  #connection: UsableConnection | undefined
  #controller: Dispatcher.DispatchController | undefined
  #settled = false
  #status = 0
  #isSuccess = false
  #headers: Record<string, string | string[] | undefined> = {}
  #length = 0
  /** The first piece of the body, which mostly is the only one. */
  #body: Uint8Array = none
  /** Those after it. */
  #more: ByteBuffer | undefined

  constructor(request: TransportRequest, parts: UndiciRequestParts) {
    this.wantsFresh = request.freshConnection === true
    this.#request = request
    this.#parts = parts
    this.#timer = setTimeout(UndiciRequest.#onTimeout, request.timeoutMs, this)
    const { signal } = request
    if (signal !== undefined) {
      this.#onAbort = () => this.#fail({ kind: 'aborted', sent: this.#sent, cause: signal.reason })
      signal.addEventListener('abort', this.#onAbort)
    }
  }

  static #onTimeout(request: UndiciRequest): void {
    request.#fail({ kind: 'timeout', sent: request.#sent })
  }

  use(connection: UsableConnection): void {
    const { method, path, body, headers } = this.#request
    const options: Dispatcher.DispatchOptions & { readonly maxRedirections: 0 } = {
      origin: this.#parts.origin,
      method,
      path,
      headers,
      body: body ?? null,
      headersTimeout: 0,
      bodyTimeout: 0,
      // The caller's own dispatcher may follow redirects, and would take signature and body along.
      maxRedirections: 0,
    }
    this.#connection = connection
    try {
      connection.dispatch(options, this)
    } catch (cause) {
      this.onResponseError(undefined, cause)
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const again = this.#controller !== undefined
    this.#controller = controller
    // The caller gave up while the connection was being made: nothing is written.
    if (this.#settled) controller.abort(new Error('given up before it was sent'))
    else if (again) {
      // Unseen it would break the rate limit, and what became of the first one would be forgotten.
      const cause = new Error('the dispatcher would send the request again by itself, which was not let')
      this.#fail({ kind: 'connection', sent: true, cause })
    } else if (this.#request.mayBegin()) {
      this.#connection?.started()
      this.#request.onSent()
    } else this.onTooLate()
  }

  mayBegin(): boolean {
    return this.#settled || this.#request.mayBegin()
  }

  /** Before it was written, its permit became too old. */
  onTooLate(): void {
    this.#fail({ kind: 'permit-expired' })
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status
    this.#isSuccess = status >= 200 && status < 300
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    const isFirst = this.#length === 0
    this.#length += chunk.length
    if (this.#length > this.#parts.maxResponseBytes) this.#cutShort()
    else if (isFirst) this.#body = chunk
    else {
      this.#more ??= new ByteBuffer()
      this.#more.add(chunk)
    }
  }

  onResponseEnd(): void {
    if (!this.#settle()) return
    const connection = this.#connection
    // What comes after a refusal could be its copy, and would make the next create 'not-accepted'.
    if (!this.#isSuccess) connection?.distrust()
    connection?.release()
    const { buffer, byteOffset, length } =
      this.#more === undefined ? this.#body : Buffer.concat([this.#body, this.#more.bytes()])
    this.#parts.resolve(this.#response(Buffer.from(buffer, byteOffset, length).toString('utf8')))
  }

  onResponseError(_controller: unknown, cause: unknown): void {
    const sent = this.#sent || this.#connection?.mayHaveSent(cause) === true
    this.#fail({ kind: 'connection', sent, cause, advice: connectionAdvice(cause, sent) })
  }

  /** Of a refusal the status is enough; a success is no use without its body. */
  #cutShort(): void {
    const response = this.#response('')
    if (!this.#settle()) return
    this.#parts.resolve(this.#isSuccess ? { kind: 'too-large', response } : response)
    this.#giveUp()
  }

  #response(body: string): TransportResponse {
    const connection = this.#connection
    const headers = this.#headers
    return {
      status: this.#status,
      body,
      headers: {
        get: (name) => {
          const value = headers[name]
          return Array.isArray(value) ? value[0] : value
        },
      },
      ...(connection === undefined ? {} : { discard: () => connection.distrust() }),
    }
  }

  get #sent(): boolean {
    return this.#controller !== undefined
  }

  #fail(failure: TransportFailure): void {
    if (!this.#settle()) return
    this.#parts.resolve(failure)
    this.#giveUp()
  }

  #giveUp(): void {
    this.#controller?.abort(new Error('given up'))
    void this.#connection?.destroy()
    this.#parts.connections.leave(this)
  }

  #settle(): boolean {
    if (this.#settled) return false
    this.#settled = true
    clearTimeout(this.#timer)
    if (this.#onAbort !== undefined) this.#request.signal?.removeEventListener('abort', this.#onAbort)
    return true
  }
}

const none = new Uint8Array(0)
