import { wait } from '../client/input/wait.js'
import { within } from '../client/input/within.js'
import { type DeliveryEnded, watchDelivery } from '../client/observe/watch-delivery.js'
import {
  type CallbackPort,
  isGatewayError,
  type PaymentKind,
  type PaymentLike,
  statusOf,
  TimeoutError,
} from '../index.js'
import type { BoundedSeen, SeenBefore } from './bounded-seen.js'
import type { ConcurrencyLimit } from './concurrency-limit.js'
import { type DeliveredStatus, isOvertaken, judge } from './dedupe.js'
import type { Work } from './one-at-a-time.js'
import type { CallbackFailure, CallbackSettings, DeliveryContext } from './options.js'
import { idOf, keyOf } from './payment-ref.js'
import type { CallbackTarget } from './signed-path.js'
import type { Spacing } from './spacing.js'

/** How dealing with a callback ended. */
export type DeliveryResult = 'succeeded' | 'failed' | 'unavailable'

/** What became of one payment. */
export type Delivered<P> =
  | {
      readonly result: 'succeeded' | 'failed'
      /** Undefined where another process has looked it up since the callback came, and dealt with it. */
      readonly payment: P | undefined
      /** Whether the merchant's function was called. */
      readonly called: boolean
    }
  | { readonly result: 'unavailable'; readonly error: unknown }

/** Looking payments of one kind up. */
export interface LookUps<P> {
  lookUp(
    id: string,
    lane: 'callback' | 'poll',
    options: { signal: AbortSignal },
    onSent?: () => void,
  ): Promise<P>
  seen(id: string, payment: P): void
  changed?(id: string): void
}

/** What the receiver lends to its deliveries of both kinds. */
export interface DeliveryParts {
  readonly port: CallbackPort
  readonly settings: CallbackSettings
  readonly seen: BoundedSeen
  readonly spacing: Spacing
  /** How many look-ups for callbacks the client is asked for at once. */
  readonly lookUpLimit: ConcurrencyLimit
  /** How many of them wait for their permit. */
  readonly permitLimit: ConcurrencyLimit
  /** Fires when the receiver is drained. */
  readonly draining: AbortSignal
  /** Called when a callback brought a status that was not known. */
  readonly onNews: () => void
}

/** Who wants the look-up: a callback, or somebody who catches up and gives up by this signal. */
export type Occasion = 'callback' | { readonly signal: AbortSignal }

/** Whether a piece of work has begun, and the number of looks when the last callback for it came; none where it began at once. */
interface Turn {
  begun: boolean
  arrived: Promise<number | undefined> | undefined
}

/** How often a look is made again because another process has dealt with the payment meanwhile. */
const mostAgain = 3

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
    const turn: Turn = { begun: false, arrived: undefined }
    const looked =
      occasion === 'callback' ? this.#findInTurn(id, turn) : this.#findNow(id, turn, occasion.signal)
    return {
      hasBegun: () => turn.begun,
      joined: () => {
        turn.arrived = this.#parts.seen.count(this.#target(id))
      },
      looked,
      done: looked.then((found) => this.#deliver(id, found)),
    }
  }

  /** Not before its time, not too many at once, and not at all when nobody waits for it any more. */
  async #findInTurn(id: string, turn: Turn): Promise<Found<P>> {
    const { seen, spacing, lookUpLimit, permitLimit, draining } = this.#parts
    const target = this.#target(id)
    const gapMs = spacing.gapMs(keyOf(target))
    // Who waits may find that another process has looked meanwhile; who doesn't need not ask.
    if (gapMs > 0) {
      turn.arrived = seen.count(target)
      await wait(gapMs, draining)
    }
    for (const limit of [permitLimit, lookUpLimit]) {
      const room = limit.acquire()
      if (room === undefined) continue
      turn.arrived ??= seen.count(target)
      await room
    }
    let waits = true
    const onSent = () => {
      if (waits) permitLimit.release()
      waits = false
    }
    try {
      // From here on, who comes gets a look of its own: what is read now may be older than its callback.
      turn.begun = true
      const before = draining.aborted ? undefined : await seen.before(target)
      if (isLookedAtSince(await turn.arrived, before)) {
        this.#lookUps.changed?.(id)
        return { state: 'known' }
      }
      return await this.#find(id, before, () => this.#lookUp(id, onSent))
    } finally {
      onSent()
      lookUpLimit.release()
    }
  }

  /** For `catchUp`: in the lowest lane, bounded by its own concurrency, and the error is in its result. */
  async #findNow(id: string, turn: Turn, signal: AbortSignal): Promise<Found<P>> {
    turn.begun = true
    const before = await this.#parts.seen.before(this.#target(id))
    return this.#find(id, before, () => this.#poll(id, signal))
  }

  /** The payment, by a look that is not older than what was dealt with last. */
  async #find(id: string, known: SeenBefore | undefined, look: () => Promise<Look<P>>): Promise<Found<P>> {
    const { seen } = this.#parts
    const target = this.#target(id)
    let before = known
    for (let again = 0; ; again++) {
      const found = await look()
      if ('error' in found) return { state: 'missing', ...found }
      // A store that was away a moment ago is not waited for twice.
      const last = before && (await seen.get(target))
      if (again === mostAgain || !isOvertaken(before?.seen, last, this.#read(found.payment))) {
        return { state: 'found', ...found, last, look: before?.look }
      }
      before = await seen.before(target)
    }
  }

  /** The payment; or why it can't be had now. A 404 proves nothing, and is not reported. */
  async #lookUp(id: string, onSent: () => void): Promise<Look<P>> {
    const { draining, spacing, onNews } = this.#parts
    const target = this.#target(id)
    try {
      draining.throwIfAborted()
      const payment = await this.#lookUps.lookUp(id, 'callback', { signal: draining }, onSent)
      if (spacing.found(keyOf(target), this.#statusOf(payment))) onNews()
      this.#lookUps.seen(id, payment)
      return { payment }
    } catch (error) {
      if (draining.aborted) return { error }
      spacing.failed(keyOf(target))
      const notVisibleYet = isGatewayError(error) && error.code === 'not_found'
      if (!notVisibleYet) this.#report(error, id, 'look-up')
      return { error }
    }
  }

  async #poll(id: string, signal: AbortSignal): Promise<Look<P>> {
    try {
      const payment = await this.#lookUps.lookUp(id, 'poll', { signal })
      this.#lookUps.seen(id, payment)
      return { payment }
    } catch (error) {
      return { error }
    }
  }

  async #deliver(id: string, found: Found<P>): Promise<Delivered<P>> {
    if (found.state === 'missing') return { result: 'unavailable', error: found.error }
    if (found.state === 'known') return { result: 'succeeded', payment: undefined, called: false }
    const { payment, last, look } = found
    let called = false
    let ended: DeliveryEnded = () => undefined
    try {
      const now = this.#read(payment)
      const { call, isNew } = judge(last, now)
      if (!call) return { result: 'succeeded', payment, called }
      called = true
      const previous = last && { status: last.status, final: last.final }
      ended = watchDelivery(idOf(this.#target(id)), now.status)
      await this.#bounded((signal) => this.#call(payment, id, { isNew, previous, signal }))
      ended()
      // Only now: what was not dealt with is not remembered, and comes again.
      await this.#parts.seen.set(this.#target(id), look === undefined ? now : { ...now, look })
      return { result: 'succeeded', payment, called }
    } catch (error) {
      ended({ error })
      this.#report(error, id, 'function')
      return { result: 'failed', payment, called }
    }
  }

  #target(id: string): CallbackTarget {
    return { kind: this.#kind, id }
  }

  #read(payment: P): DeliveredStatus {
    return { status: this.#statusOf(payment), final: this.#parts.port.isFinal(payment) }
  }

  #statusOf(payment: P): DeliveredStatus['status'] {
    const { port } = this.#parts
    return port.statusOf === undefined ? statusOf(payment) : port.statusOf(payment)
  }

  #bounded<T>(run: (signal: AbortSignal) => T | PromiseLike<T>): Promise<T> {
    const { functionTimeoutMs } = this.#parts.settings
    const late = () =>
      new TimeoutError(
        `the function did not end within functionTimeoutMs (${functionTimeoutMs} ms); it may still run when the callback comes again, so heed the signal and make it faster.`,
      )
    return within(functionTimeoutMs, late, run)
  }

  #report(error: unknown, id: string, during: CallbackFailure['during']): void {
    report(this.#parts.settings.onError, error, { ...this.#target(id), during })
  }
}

/** A reporter that fails must not change what the gateway is answered. */
export function report(onError: CallbackSettings['onError'], error: unknown, failure: CallbackFailure): void {
  const reported = async () => onError(error, failure)
  reported().catch(() => undefined)
}

type Look<P> = { readonly payment: P } | { readonly error: unknown }

type Found<P> =
  | {
      readonly state: 'found'
      readonly payment: P
      /** What was dealt with last. */
      readonly last: DeliveredStatus | undefined
      /** The number of this look, where the store counts them. */
      readonly look: number | undefined
    }
  | { readonly state: 'known' }
  | { readonly state: 'missing'; readonly error: unknown }

/**
 * Whether somebody has looked, and dealt with what there was, by a look that began after the callback had come. One
 * that had begun before may show what was there before the callback's change, so that it says nothing.
 */
function isLookedAtSince(arrived: number | undefined, before: SeenBefore | undefined): boolean {
  const look = before?.seen?.look
  return typeof arrived === 'number' && typeof look === 'number' && look > arrived
}
