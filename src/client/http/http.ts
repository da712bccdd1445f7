import { type CallOptions, checkCallOptions } from '../input/call-options.js'
import { own } from '../input/own.js'
import type { Observer } from '../observe/observer.js'
import { allowManyListeners } from './abortable-wait.js'
import { laneOf } from './attempt.js'
import { Call, type CallLimits, type JoinedLimits } from './call.js'
import { type Closing, ClosingSignal } from './closing.js'
import { FailedCall } from './failed-call.js'
import { KnownSecrets } from './known-secrets.js'
import type { PermitQueue } from './limit/queue.js'
import { type HttpParts, UnderWay } from './parts.js'
import type { GatewayRequest, GatewayResponse } from './request.js'
import { RequestHeaders } from './request-headers.js'
import { send } from './send.js'
import type { Transport } from './transport/transport.js'

export interface HttpSettings {
  readonly basePath: string
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly retries: number
  readonly now: () => number
  /** The secret that it sends in token requests, if any. */
  readonly secrets: readonly string[]
  /** The text of its key; made when it is needed, so that none is kept. */
  readonly keyTexts: () => readonly string[]
}

/**
 * The way to the gateway. Knows nothing of payments and of what tokens allow: a request comes with its
 * token, and says itself what a failure means for the money.
 */
export class Http {
  readonly #parts: HttpParts
  readonly #settings: HttpSettings
  readonly #closing = new ClosingSignal()
  /** Fires when the client is closed. */
  readonly closing: Closing = this.#closing
  /** What no error and no log may show. */
  readonly known: KnownSecrets
  #closed: Promise<void> | undefined

  constructor(transport: Transport, permits: PermitQueue, settings: HttpSettings, observer: Observer) {
    const { basePath, now, keyTexts } = settings
    this.known = new KnownSecrets(settings.secrets)
    const { closing, known } = this
    this.#settings = settings
    const underWay = new UnderWay()
    const headers = new RequestHeaders()
    this.#parts = { transport, permits, headers, known, keyTexts, observer, basePath, underWay, closing, now }
  }

  /** A call of one request: the parsed answer, or the error that the caller will see. */
  async request<T>(request: GatewayRequest<T>, options: CallOptions | undefined): Promise<T> {
    const limits = this.limits(checkCallOptions(options))
    const { value } = await this.call(request, limits, (call) => this.send(call, request))
    if (value === undefined) throw new TypeError('an answer without a value')
    return value
  }

  /** The limits of a call that begins now. @param options as {@link checkCallOptions} gives them. */
  limits(options: CallOptions | undefined, joined?: JoinedLimits): CallLimits {
    const { timeoutMs, deadlineMs, retries } = this.#settings
    const signal = options?.signal
    if (signal !== undefined) allowManyListeners(signal)
    return {
      signal,
      timeoutMs: options?.timeoutMs ?? timeoutMs,
      deadlineMs: options?.deadlineMs ?? deadlineMs,
      retries: options?.retries ?? retries,
      isBulk: options?.priority === 'bulk',
      startedAt: performance.now(),
      joined,
    }
  }

  /** Runs what a method of the client is made of as one call, and reports it to whoever watches. */
  call<T>(first: GatewayRequest<unknown>, limits: CallLimits, run: (call: Call) => Promise<T>): Promise<T> {
    return this.#parts.observer.watchesCalls
      ? this.#watch(first, limits, run)
      : run(new Call(limits, this.known))
  }

  async #watch<T>(
    request: GatewayRequest<unknown>,
    limits: CallLimits,
    run: (call: Call) => Promise<T>,
  ): Promise<T> {
    const { name, route, routeTemplate = route, meaning } = own(request)
    const { idPayin, idPayout } = meaning('none').details
    const lane = laneOf(request, limits)
    const watched = await this.#parts.observer.watch({ name, lane, route: routeTemplate, idPayin, idPayout })
    const call = new Call(limits, this.known, watched)
    const errorOf = (value: T) => (value instanceof FailedCall ? value.toError() : undefined)
    return watched === undefined ? run(call) : watched.run(() => run(call), errorOf)
  }

  /** Sends one request of a call, and rejects with the error that the caller will see. */
  async send<T>(call: Call, request: GatewayRequest<T>): Promise<GatewayResponse<T>> {
    const came = await this.trySend(call, request)
    if (came instanceof FailedCall) throw came.toError()
    return came
  }

  /** The same with the failure as a value: for requests that other calls wait for. */
  trySend<T>(call: Call, request: GatewayRequest<T>): Promise<GatewayResponse<T> | FailedCall> {
    // A field that a request leaves out must not be found on `Object.prototype`.
    return send(this.#parts, call, own(request))
  }

  /** The client's own limit of a call, in milliseconds. */
  get defaultDeadlineMs(): number {
    return this.#settings.deadlineMs
  }

  /** Refuses new calls and those that wait; lets what is on the wire come to its end. */
  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  async #end(): Promise<void> {
    this.#closing.abort()
    this.#parts.permits.close()
    await this.#parts.underWay.idle()
    await this.#parts.transport.close()
  }
}
