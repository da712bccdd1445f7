import { Socket } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import { setImmediate } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { TransportResponse } from '../failure.js'
import { connectionAdvice, mayHaveSent } from './connect-errors.js'
import type { Transport, TransportFailure, TransportRequest } from './transport.js'
import { discard, endIdle, listen, type OnWire, starts } from './undici-diagnostics.js'

export interface UndiciTransportOptions {
  readonly origin: string
  readonly maxResponseBytes: number
  readonly timeoutMs: number
  /** How many connections there may be; a request that finds none waits, within its own time. */
  readonly maxConnections: number
  readonly dispatcher: Dispatcher | undefined
}

/**
 * The default transport: undici's `Agent`, or the caller's dispatcher, and its `dispatch`. Below `request`, because
 * only `dispatch` says when a request starts to be written, and with it whether an attempt that failed may have
 * arrived; and because it reads a small JSON body without a stream.
 *
 * @throws what importing undici throws.
 */
export async function undiciTransport(options: UndiciTransportOptions): Promise<Transport> {
  const { origin, maxResponseBytes, dispatcher: theirs } = options
  listen(false)
  const connecting = new Set<Socket>()
  const dispatcher = theirs ?? (await ownAgent(options, connecting))
  let underWay = 0
  let hasEnded = false
  const transport: Transport = {
    async send(request) {
      // A pool has a connection back a turn after its response. Without this wait, a create that follows its token would
      // open another connection, with a handshake of its own. Where others are under way, it would anyway.
      if (hasEnded && underWay === 0) await setImmediate()
      hasEnded = false
      underWay++
      try {
        return await new UndiciRequest(request, maxResponseBytes, transport).over(dispatcher, origin)
      } finally {
        underWay--
        hasEnded = true
        // Nobody waits for them any more, and each would keep the process for seconds.
        if (underWay === 0) for (const socket of connecting) socket.destroy()
      }
    },
    async close() {
      // Whatever is still open has been given up by everybody.
      if (theirs === undefined) await dispatcher.destroy()
    },
  }
  return transport
}

const longestConnectMs = 10_000
/** Node gives each address of a host 250 ms, in which a far gateway can't be reached. */
const longestAddressMs = 2_000
/** Ours bound the whole attempt, which undici's two do not. */
const ownTimeLimits = { headersTimeout: 0, bodyTimeout: 0 }

async function ownAgent(
  { timeoutMs, maxConnections }: UndiciTransportOptions,
  connecting: Set<Socket>,
): Promise<Dispatcher> {
  // By its file: Bun has a module of its own under the bare name, which can't dispatch.
  const { Agent, buildConnector, EnvHttpProxyAgent } = await import('undici/index.js')
  const timeout = Math.min(longestConnectMs, timeoutMs)
  const connector = buildConnector({
    timeout,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.ceil(Math.min(longestAddressMs, timeout / 2)),
  })
  const connect: typeof connector = (to, done) => {
    const socket: unknown = connector(to, (...result) => {
      if (socket instanceof Socket) connecting.delete(socket)
      done(...result)
    })
    if (socket instanceof Socket) connecting.add(socket)
    return socket
  }
  const options = {
    ...ownTimeLimits,
    connections: Number.isFinite(maxConnections) ? maxConnections : null,
    connect,
  }
  return process.env.NODE_USE_ENV_PROXY === '1' ? new EnvHttpProxyAgent(options) : new Agent(options)
}

class UndiciRequest implements Dispatcher.DispatchHandler {
  readonly #request: TransportRequest
  readonly #maxBytes: number
  readonly #onWire: OnWire
  readonly #onAbort = () => {
    this.#fail({ kind: 'aborted', sent: this.#sent, cause: this.#request.signal?.reason })
  }
  #timer: NodeJS.Timeout | undefined
  #resolve: ((result: TransportResponse | TransportFailure) => void) | undefined
  #controller: Dispatcher.DispatchController | undefined
  #sent = false
  #status = 0
  #isSuccess = false
  #headers: Record<string, string | string[] | undefined> = {}
  /** Not the chunks: each would keep the whole piece of memory that it was cut from. */
  #body = ''
  #length = 0
  readonly #decoder = new StringDecoder()

  constructor(request: TransportRequest, maxBytes: number, transport: Transport) {
    this.#request = request
    this.#maxBytes = maxBytes
    this.#onWire = { method: request.method, path: request.path, owner: transport }
  }

  over(dispatcher: Dispatcher, origin: string): Promise<TransportResponse | TransportFailure> {
    const { method, path, body, headers, signal, timeoutMs, freshConnection } = this.#request
    return new Promise((resolve) => {
      this.#resolve = resolve
      // It has fired, so no event will come.
      if (signal?.aborted === true) return this.#onAbort()
      this.#timer = setTimeout(() => this.#fail({ kind: 'timeout', sent: this.#sent }), timeoutMs)
      signal?.addEventListener('abort', this.#onAbort)
      if (freshConnection === true) endIdle(this.#onWire.owner)
      const options: Dispatcher.DispatchOptions & { readonly maxRedirections: 0 } = {
        origin,
        method,
        path,
        headers,
        body: body ?? null,
        ...ownTimeLimits,
        // The caller's own dispatcher may follow redirects, and would take signature and body along.
        maxRedirections: 0,
      }
      try {
        dispatcher.dispatch(options, this)
      } catch (cause) {
        this.onResponseError(undefined, cause)
      }
    })
  }

  /** What is thrown here keeps the request from being written, and leaves the connection to the next one. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#resolve === undefined) throw new Error('given up before it was sent')
    if (this.#sent) {
      // Unseen it would break the rate limit, and what became of the first one would be forgotten.
      const cause = new Error('the dispatcher would send the request again by itself, which was not let')
      this.#fail({ kind: 'connection', sent: true, cause })
      throw cause
    }
    if (!this.#request.mayBegin()) {
      this.#settle({ kind: 'permit-expired' })
      throw new Error('the permit is no longer good')
    }
    this.#controller = controller
    this.#sent = true
    starts(this.#onWire)
    this.#request.onSent()
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
    this.#length += chunk.length
    if (this.#length <= this.#maxBytes) {
      this.#body += this.#decoder.write(chunk)
      return
    }
    // Of a refusal the status is enough; a success is no use without its body.
    const response = this.#response('')
    this.#fail(this.#isSuccess ? { kind: 'too-large', response } : response)
  }

  onResponseEnd(): void {
    this.#settle(this.#response(this.#body + this.#decoder.end()))
    // What comes after a refusal could be its copy, and would make the next create 'not-accepted'.
    if (!this.#isSuccess) discard(this.#onWire)
  }

  onResponseError(_controller: unknown, cause: unknown): void {
    const sent = this.#sent || mayHaveSent(cause)
    this.#fail({ kind: 'connection', sent, cause, advice: connectionAdvice(cause, sent) })
  }

  #response(body: string): TransportResponse {
    const headers = this.#headers
    const onWire = this.#onWire
    return {
      status: this.#status,
      body,
      headers: {
        get: (name) => {
          const value = headers[name]
          return Array.isArray(value) ? value[0] : value
        },
      },
      discard: () => discard(onWire),
    }
  }

  #fail(result: TransportResponse | TransportFailure): void {
    if (this.#resolve === undefined) return
    this.#settle(result)
    this.#controller?.abort(new Error('given up'))
  }

  #settle(result: TransportResponse | TransportFailure): void {
    clearTimeout(this.#timer)
    this.#request.signal?.removeEventListener('abort', this.#onAbort)
    this.#onWire.hasEnded = true
    this.#resolve?.(result)
    this.#resolve = undefined
  }
}
