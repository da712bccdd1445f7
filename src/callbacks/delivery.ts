import {
  type CallbackPort,
  isGatewayError,
  type PaymentKind,
  type PaymentLike,
  type PaymentStatus,
  statusOf,
  TimeoutError,
} from '../index.js'
import type { ConcurrencyLimit } from './concurrency-limit.js'
import type { Work } from './one-at-a-time.js'
import type { CallbackFailure, CallbackSettings, DeliveryContext } from './options.js'
import { keyOf } from './payment-ref.js'
import { judge } from './seen.js'
import type { CallbackTarget } from './signed-path.js'
import type { Spacing } from './spacing.js'
import { pause, within } from './timed-wait.js'

/** How dealing with a callback ended. */
export type DeliveryResult = 'succeeded' | 'failed' | 'unavailable'

/** What became of one payment. */
export type Delivered<P> =
  | {
      readonly result: 'succeeded' | 'failed'
      readonly payment: P
      /** Whether the merchant's function was called. */
      readonly called: boolean
    }
  | { readonly result: 'unavailable'; readonly error: unknown }

/** Looking payments of one kind up. */
export interface LookUps<P> {
  lookUp(id: string, lane: 'callback' | 'poll', options: { signal: AbortSignal }): Promise<P>
  seen(id: string, payment: P): void
}

/** What the receiver lends to its deliveries of both kinds. */
export interface DeliveryParts {
  readonly port: CallbackPort
  readonly settings: CallbackSettings
  readonly spacing: Spacing
  /** How many look-ups for callbacks the client is asked for at once. */
  readonly lookUpLimit: ConcurrencyLimit
  /** Fires when the receiver is drained. */
  readonly draining: AbortSignal
  /** Called when a callback brought a status that was not known. */
  readonly onNews: (payment: CallbackTarget) => void
}

/** Who wants the look-up: a callback, or somebody who reconciles and gives up by this signal. */
export type Occasion = 'callback' | { readonly signal: AbortSignal }

/** From a payment's id that is proved to the merchant's function: look up, judge, call, remember. */
export class Delivery<P extends PaymentLike> {
  readonly #kind: PaymentKind
  readonly #lookUps: LookUps<P>
  readonly #call: (payment: P, id: string, context: DeliveryContext) => unknown
  readonly #parts: DeliveryParts

  constructor(
    kind: PaymentKind,
    lookUps: LookUps<P>,
    call: (payment: P, id: string, context: DeliveryContext) => unknown,
    parts: DeliveryParts,
  ) {
    this.#kind = kind
    this.#lookUps = lookUps
    this.#call = call
    this.#parts = parts
  }

  start(id: string, occasion: Occasion): Work<Delivered<P>> {
    let begun = false
    const begin = () => {
      begun = true
    }
    const looked =
      occasion === 'callback' ? this.#lookUpInTurn(id, begin) : this.#poll(id, begin, occasion.signal)
    const done = looked.then((found) =>
      found.isFound
        ? this.#deliver(id, found.payment)
        : { result: 'unavailable' as const, error: found.error },
    )
    return { hasBegun: () => begun, looked, done }
  }

  /** Not before its time, not too many at once, and not at all when nobody waits for it any more. */
  async #lookUpInTurn(id: string, begin: () => void): Promise<Found<P>> {
    const { spacing, lookUpLimit, draining } = this.#parts
    const gapMs = spacing.gapMs(keyOf({ kind: this.#kind, id }))
    if (gapMs > 0) await pause(gapMs, draining)
    const room = lookUpLimit.acquire()
    if (room !== undefined) await room
    try {
      if (draining.aborted) return { isFound: false, error: draining.reason }
      begin()
      return await this.#lookUp(id)
    } finally {
      lookUpLimit.release()
    }
  }

  /** The payment; or why it can't be had now. A 404 proves nothing, and is not reported. */
  async #lookUp(id: string): Promise<Found<P>> {
    const { draining, spacing, onNews } = this.#parts
    try {
      const payment = await this.#lookUps.lookUp(id, 'callback', { signal: draining })
      const target = { kind: this.#kind, id }
      if (spacing.found(keyOf(target), this.#statusOf(payment))) onNews(target)
      this.#lookUps.seen(id, payment)
      return { isFound: true, payment }
    } catch (error) {
      if (draining.aborted) return { isFound: false, error }
      spacing.failed(keyOf({ kind: this.#kind, id }))
      const notVisibleYet = isGatewayError(error) && error.code === 'not_found'
      if (!notVisibleYet) this.#report(error, id, 'look-up')
      return { isFound: false, error }
    }
  }

  /** For `reconcile`: in the lowest lane, bounded by its own concurrency, and the error is in its result. */
  async #poll(id: string, begin: () => void, signal: AbortSignal): Promise<Found<P>> {
    begin()
    try {
      const payment = await this.#lookUps.lookUp(id, 'poll', { signal })
      this.#lookUps.seen(id, payment)
      return { isFound: true, payment }
    } catch (error) {
      return { isFound: false, error }
    }
  }

  async #deliver(id: string, payment: P): Promise<Delivered<P>> {
    const { port, settings } = this.#parts
    const key = keyOf({ kind: this.#kind, id })
    let called = false
    try {
      const now = { status: this.#statusOf(payment), final: port.isFinal(payment) }
      const last = await this.#store(id, () => settings.seen.get(key))
      const verdict = judge(last ?? undefined, now)
      if (!verdict.call) return { result: 'succeeded', payment, called }
      called = true
      await this.#bounded('the function', (signal) => this.#call(payment, id, { news: verdict.news, signal }))
      // Only now: what was not dealt with is not remembered, and comes again.
      await this.#store(id, () => settings.seen.set(key, now))
      return { result: 'succeeded', payment, called }
    } catch (error) {
      this.#report(error, id, 'function')
      return { result: 'failed', payment, called }
    }
  }

  #statusOf(payment: P): PaymentStatus | undefined {
    const { port } = this.#parts
    return port.statusOf === undefined ? statusOf(payment) : port.statusOf(payment)
  }

  /** A store that fails or hangs is as good as one that knows nothing. */
  async #store<T>(id: string, use: () => T | PromiseLike<T>): Promise<T | undefined> {
    try {
      return await this.#bounded('the seen store', use)
    } catch (error) {
      this.#report(error, id, 'seen-store')
      return undefined
    }
  }

  #bounded<T>(what: string, run: (signal: AbortSignal) => T | PromiseLike<T>): Promise<T> {
    const { functionTimeoutMs } = this.#parts.settings
    const late = () =>
      new TimeoutError(
        `${what} did not end within functionTimeoutMs (${functionTimeoutMs} ms); it may still run when the callback comes again, so heed the signal and make it faster.`,
      )
    return within(functionTimeoutMs, late, run)
  }

  #report(error: unknown, id: string, during: CallbackFailure['during']): void {
    report(this.#parts.settings.onError, error, { kind: this.#kind, id, during })
  }
}

/** A reporter that fails must not change what the gateway is answered. */
export function report(onError: CallbackSettings['onError'], error: unknown, failure: CallbackFailure): void {
  const reported = async () => onError(error, failure)
  reported().catch(() => undefined)
}

type Found<P> =
  | { readonly isFound: true; readonly payment: P }
  | { readonly isFound: false; readonly error: unknown }
