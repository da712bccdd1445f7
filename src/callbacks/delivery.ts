import { within } from '../client/input/wait.js'
import { type DeliveryEnded, watchDelivery } from '../client/observe/watch-delivery.js'
import {
  type CallbackLookUps,
  type CallbackPort,
  ConfigurationError,
  isGatewayError,
  type Payin,
  type PaymentKind,
  type PaymentLike,
  type Payout,
  statusOf,
  TimeoutError,
} from '../index.js'
import type { Previous } from './bounded-dedupe.js'
import { type DeliveredStatus, isOvertaken, judge } from './dedupe.js'
import { LookupTurn, type LookupTurnParts } from './lookup-turn.js'
import { OneAtATime, type Work } from './one-at-a-time.js'
import type { CallbackFailure, DeliveryContext } from './options.js'
import { idOf, keyOf } from './payment-ref.js'
import type { CallbackSettings } from './read-options.js'
import type { CallbackTarget } from './signed-path.js'
import type { Spacing } from './spacing.js'

export type DeliveryResult = 'succeeded' | 'failed' | 'unavailable'

export type Delivered<P> =
  | {
      readonly result: 'succeeded' | 'failed'
      /** Undefined where another process has looked it up since the callback came, and dealt with it. */
      readonly payment: P | undefined
      readonly called: boolean
    }
  | { readonly result: 'unavailable'; readonly error: unknown }

export interface DeliveryParts extends LookupTurnParts {
  readonly port: CallbackPort
  readonly settings: CallbackSettings
  readonly spacing: Spacing
  readonly isFull: () => boolean
  /** Called when a callback brought a status that was not known. */
  readonly onNewStatus: () => void
}

/** Who wants the status: a callback, or somebody who catches up and gives up by this signal. */
export type Occasion = 'callback' | { readonly signal: AbortSignal }

/** The merchant's function. */
type Call<P> = (payment: P, id: string, context: DeliveryContext) => unknown

/** How often a status request is repeated because another process has dealt with the payment meanwhile. */
const mostAgain = 3

/**
 * From a payment's id that is proved to the merchant's function: look up, judge, call, remember. For each payment of
 * the kind one at a time, whoever causes it.
 */
export class Delivery<P extends PaymentLike> {
  readonly #kind: PaymentKind
  readonly #lookups: CallbackLookUps<P>
  readonly #call: Call<P> | undefined
  readonly #parts: DeliveryParts
  readonly #work: OneAtATime<Delivered<P>>

  constructor(
    kind: PaymentKind,
    lookups: CallbackLookUps<P>,
    call: Call<P> | undefined,
    parts: DeliveryParts,
  ) {
    this.#kind = kind
    this.#lookups = lookups
    this.#call = call
    this.#parts = parts
    this.#work = new OneAtATime(parts.isFull)
  }

  get size(): number {
    return this.#work.size
  }

  /** The delivery whose status request begins after this moment; undefined when too many wait. */
  run(id: string, occasion: Occasion): Work<Delivered<P>> | undefined {
    return this.#work.run(id, () => this.#start(id, occasion))
  }

  /** Whether there is a function for this kind. Reports where there is none: the payment would be looked up for nobody. */
  hasFunction(id: string): boolean {
    if (this.#call === undefined) this.#report(noFunction(this.#kind), id, 'function')
    return this.#call !== undefined
  }

  idle(): Promise<void> {
    return this.#work.idle()
  }

  #start(id: string, occasion: Occasion): Work<Delivered<P>> {
    const turn = new LookupTurn(this.#parts, this.#target(id))
    const requested =
      occasion === 'callback' ? this.#findInTurn(id, turn) : this.#findNow(id, turn, occasion.signal)
    const deliver = async (found: Found<P>) => {
      const delivered = await this.#deliver(id, found)
      await turn.end()
      return delivered
    }
    return { turn, requested, done: requested.then(deliver) }
  }

  async #findInTurn(id: string, turn: LookupTurn): Promise<Found<P>> {
    const { spacing, queue } = this.#parts
    const come = await turn.come(spacing.gapMs(keyOf(this.#target(id))))
    if (come === 'known') {
      this.#lookups.changed?.(id)
      return { state: 'known' }
    }
    let waits = true
    const onSent = () => {
      if (waits) queue.sent()
      waits = false
    }
    try {
      return await this.#find(id, come.before, () => this.#lookUp(id, onSent))
    } finally {
      onSent()
      queue.ended()
    }
  }

  async #findNow(id: string, turn: LookupTurn, signal: AbortSignal): Promise<Found<P>> {
    turn.hasBegun = true
    const previous = await this.#parts.dedupe.previous(this.#target(id))
    return this.#find(id, previous, () => this.poll(id, signal))
  }

  /** The payment, by a status request that is not older than what was dealt with last. */
  async #find(
    id: string,
    known: Previous | undefined,
    request: () => Promise<Reading<P>>,
  ): Promise<Found<P>> {
    const { dedupe } = this.#parts
    const target = this.#target(id)
    let previous = known
    for (let again = 0; ; again++) {
      const found = await request()
      if ('error' in found) return { state: 'missing', ...found }
      // A store that was away a moment ago is not waited for twice.
      const last = previous && (await dedupe.get(target))
      if (again === mostAgain || !isOvertaken(previous?.delivered, last, this.#read(found.payment))) {
        return { state: 'found', ...found, last, requestNumber: previous?.requestNumber }
      }
      previous = await dedupe.previous(target)
    }
  }

  /** The payment; or why it can't be had now. A 404 proves nothing, and is not reported. */
  async #lookUp(id: string, onSent: () => void): Promise<Reading<P>> {
    const { draining, spacing, onNewStatus } = this.#parts
    const target = this.#target(id)
    try {
      draining.throwIfAborted()
      const payment = await this.#lookups.lookUp(id, 'callback', { signal: draining }, onSent)
      if (spacing.found(keyOf(target), this.#statusOf(payment))) onNewStatus()
      this.#lookups.seen(id, payment)
      return { payment }
    } catch (error) {
      if (draining.aborted) return { error }
      spacing.failed(keyOf(target))
      const notVisibleYet = isGatewayError(error) && error.code === 'not_found'
      if (!notVisibleYet) this.#report(error, id, 'lookup')
      return { error }
    }
  }

  /** For `catchUp`: with the lowest priority, and the error is in its result. */
  async poll(id: string, signal: AbortSignal): Promise<Reading<P>> {
    try {
      const payment = await this.#lookups.lookUp(id, 'poll', { signal })
      this.#lookups.seen(id, payment)
      return { payment }
    } catch (error) {
      return { error }
    }
  }

  async #deliver(id: string, found: Found<P>): Promise<Delivered<P>> {
    if (found.state === 'missing') return { result: 'unavailable', error: found.error }
    if (found.state === 'known') return { result: 'succeeded', payment: undefined, called: false }
    const { payment, last, requestNumber } = found
    let called = false
    let ended: DeliveryEnded = () => undefined
    try {
      const now = this.#read(payment)
      const { isCalled, isNew } = judge(last, now)
      if (!isCalled) return { result: 'succeeded', payment, called }
      const call = this.#call
      if (call === undefined) throw noFunction(this.#kind)
      called = true
      const previous = last && { status: last.status, final: last.final }
      ended = watchDelivery(idOf(this.#target(id)), now.status)
      await this.#bounded((signal) => call(payment, id, { isNew, previous, signal }))
      ended()
      // Only now: what was not dealt with is not remembered, and comes again.
      await this.#parts.dedupe.set(
        this.#target(id),
        requestNumber === undefined ? now : { ...now, requestNumber },
      )
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

/** Payments of both kinds under one limit, `maxPending`. */
export class BothKinds {
  readonly payin: Delivery<Payin>
  readonly payout: Delivery<Payout>

  constructor(given: Omit<DeliveryParts, 'isFull'>) {
    const { port, settings } = given
    const { onPayin, onPayout, maxPending } = settings
    const parts = { ...given, isFull: () => this.size >= maxPending }
    this.payin = new Delivery(
      'payin',
      port.payin,
      onPayin && ((payment, idPayin, context) => onPayin(payment, { ...context, idPayin })),
      parts,
    )
    this.payout = new Delivery(
      'payout',
      port.payout,
      onPayout && ((payment, idPayout, context) => onPayout(payment, { ...context, idPayout })),
      parts,
    )
  }

  /** How many payments have work. */
  get size(): number {
    return this.payin.size + this.payout.size
  }

  async idle(): Promise<void> {
    while (this.size > 0) await Promise.all([this.payin.idle(), this.payout.idle()])
  }
}

function noFunction(kind: PaymentKind): ConfigurationError {
  const option = kind === 'payin' ? 'onPayin' : 'onPayout'
  return new ConfigurationError(
    `a ${kind} changed, and the receiver has no ${option}; give it one, or no ${kind} a callbackUrl of this receiver.`,
    { option },
  )
}

/** A reporter that fails must not change what the gateway is answered. */
export function report(onError: CallbackSettings['onError'], error: unknown, failure: CallbackFailure): void {
  const reported = async () => onError(error, failure)
  reported().catch(() => undefined)
}

type Reading<P> = { readonly payment: P } | { readonly error: unknown }

type Found<P> =
  | {
      readonly state: 'found'
      readonly payment: P
      readonly last: DeliveredStatus | undefined
      /** The number of this status request, where the store counts them. */
      readonly requestNumber: number | undefined
    }
  | { readonly state: 'known' }
  | { readonly state: 'missing'; readonly error: unknown }
