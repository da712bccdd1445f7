import type { Dispatcher } from 'undici'
import type { ResponseHeaders, TransportResponse } from '../failure.js'
import { ByteBuffer } from './byte-buffer.js'
import type { RequestHandler, UsableConnection } from './connection.js'
import { connectionAdvice } from './connection-advice.js'
import type { Connections, ConnectionUser } from './connections.js'
import type { TransportFailure, TransportRequest } from './transport.js'

export interface UndiciRequestParts {
  readonly origin: string
  readonly maxResponseBytes: number
  readonly resolve: (came: TransportResponse | TransportFailure) => void
}

/** One request from dispatch to the last byte; settles its promise exactly once. */
export class UndiciRequest implements RequestHandler, ConnectionUser {
  readonly #request: TransportRequest
  readonly #parts: UndiciRequestParts
  readonly #timer: NodeJS.Timeout
  readonly #onAbort: (() => void) | undefined
  #connections: Connections | undefined
  #connection: UsableConnection | undefined
  #controller: Dispatcher.DispatchController | undefined
  #settled = false
  #status = 0
  #headers: Record<string, string | string[] | undefined> = {}
  readonly #body = new ByteBuffer()

  constructor(request: TransportRequest, parts: UndiciRequestParts) {
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

  get wantsFresh(): boolean {
    return this.#request.freshConnection === true
  }

  takeFrom(connections: Connections): void {
    if (this.#settled) return
    this.#connections = connections
    connections.take(this)
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
    } else if (this.mayBegin()) {
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
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    if (this.#body.length + chunk.length > this.#parts.maxResponseBytes) this.#cutShort()
    else this.#body.add(chunk)
  }

  onResponseEnd(): void {
    if (!this.#settle()) return
    const connection = this.#connection
    // What comes after a refusal could be its copy, and would make the next create 'not-accepted'.
    if (!isSuccess(this.#status)) connection?.distrust()
    connection?.release()
    const bytes = this.#body.bytes()
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
    this.#parts.resolve(this.#response(body))
  }

  onResponseError(_controller: unknown, cause: unknown): void {
    const sent = this.#sent || this.#connection?.mayHaveSent(cause) === true
    this.#fail({ kind: 'connection', sent, cause, advice: connectionAdvice(cause, sent) })
  }

  /** undici itself could not be loaded. */
  onUnloadable(cause: unknown): void {
    this.#fail({ kind: 'unloadable', cause })
  }

  /** Of a refusal the status is enough; a success is no use without its body. */
  #cutShort(): void {
    const response = this.#response('')
    if (!this.#settle()) return
    this.#parts.resolve(isSuccess(this.#status) ? { kind: 'too-large', response } : response)
    this.#giveUp()
  }

  #response(body: string): TransportResponse {
    const connection = this.#connection
    return {
      status: this.#status,
      body,
      headers: new UndiciHeaders(this.#headers),
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
    this.#connections?.leave(this)
  }

  #settle(): boolean {
    if (this.#settled) return false
    this.#settled = true
    clearTimeout(this.#timer)
    if (this.#onAbort !== undefined) this.#request.signal?.removeEventListener('abort', this.#onAbort)
    return true
  }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
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
