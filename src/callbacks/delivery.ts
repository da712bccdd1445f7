import { wait } from '../client/input/wait.js'
import { within } from '../client/input/within.js'
import { type DeliveryEnded, watchDelivery } from '../client/observe/watch-delivery.js'
import {
  type CallbackPort,
  ConfigurationError,
  isGatewayError,
  type PaymentKind,
  type PaymentLike,
  statusOf,
  TimeoutError,
} from '../index.js'
import type { BoundedDedupe, Previous } from './bounded-dedupe.js'
import { type DeliveredStatus, isOvertaken, judge } from './dedupe.js'
import type { LookupQueue, Ticket } from './lookup-queue.js'
import { OneAtATime, type Work } from './one-at-a-time.js'
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

/** What the deliveries of both kinds share. */
export interface DeliveryParts {
  readonly port: CallbackPort
  readonly settings: CallbackSettings
  readonly dedupe: BoundedDedupe
  readonly spacing: Spacing
  readonly queue: LookupQueue
  /** Fires when the receiver is drained. */
  readonly draining: AbortSignal
  /** Whether no more payments may have work. */
  readonly isFull: () => boolean
  /** Called when a callback brought a status that was not known. */
  readonly onNewStatus: () => void
}

/** Who wants the status: a callback, or somebody who catches up and gives up by this signal. */
export type Occasion = 'callback' | { readonly signal: AbortSignal }

/** The place in the queue of one payment's status request. */
interface Turn extends Ticket {
  begun: boolean
  /** Whether the outcome is known, so that its callbacks are copies as a rule. */
  isOver: boolean
  /** The number of the last callback that it is for. */
  arrived: Promise<number | undefined> | undefined
  /** The number of the status request, while other processes leave it to this one. */
  claim?: number
  /** Until when this process leaves it to others. */
  waitsUntil?: number
}

/** For how long other processes leave the status request for a payment to the one that makes it. */
const claimMs = 5000
/** When they look again whether it has been made. */
const claimedAgainMs = 200
/** How often a status request is repeated because another process has dealt with the payment meanwhile. */
const mostAgain = 3
/** How many callbacks for one payment may wait for the same status request, each with a connection. */
const joinedForEach = 100

/**
 * From a payment's id that is proved to the merchant's function: look up, judge, call, remember. For each payment of
 * the kind one at a time, whoever causes it.
 */
export class Delivery<P extends PaymentLike> {
  readonly #kind: PaymentKind
  readonly lookUps: LookUps<P>
  readonly #call: ((payment: P, id: string, context: DeliveryContext) => unknown) | undefined
  readonly #parts: DeliveryParts
  readonly #work: OneAtATime<Delivered<P>>

  constructor(
    kind: PaymentKind,
    lookUps: LookUps<P>,
    call: ((payment: P, id: string, context: DeliveryContext) => unknown) | undefined,
    parts: DeliveryParts,
  ) {
    this.#kind = kind
    this.lookUps = lookUps
    this.#call = call
    this.#parts = parts
    this.#work = new OneAtATime({ isFull: parts.isFull, joinedForEach })
  }

  /** How many payments have work. */
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
    const { dedupe, queue } = this.#parts
    const target = this.#target(id)
    const turn: Turn = { begun: false, isOver: false, arrived: undefined, dueAt: Number.POSITIVE_INFINITY }
    const requested =
      occasion === 'callback' ? this.#findInTurn(id, turn) : this.#findNow(id, turn, occasion.signal)
    return {
      hasBegun: () => turn.begun,
      joined: () => {
        turn.arrived = dedupe.count(target)
        // The payment has changed again, so that its newest state is worth more than that of those who changed once.
        if (turn.isOver) return
        turn.dueAt = performance.now()
        queue.hurried()
      },
      isKnown: async () =>
        !turn.begun && isRequestedSince(await turn.arrived, (await dedupe.previous(target))?.delivered),
      requested,
      done: requested.then(async (found) => {
        const delivered = await this.#deliver(id, found)
        if (turn.claim !== undefined) await dedupe.claim(target, turn.claim, 0)
        return delivered
      }),
    }
  }

  /** Not before its time, not too many at once, and not at all when another process does it. */
  async #findInTurn(id: string, turn: Turn): Promise<Found<P>> {
    const { dedupe, spacing, queue, draining } = this.#parts
    const target = this.#target(id)
    const gapMs = spacing.gapMs(keyOf(target))
    const atArrival = dedupe.previous(target)
    turn.arrived = atArrival.then((known) => known?.look)
    const knownAtArrival = await atArrival
    if (gapMs > 0) await wait(gapMs, draining)
    turn.isOver = isOver(knownAtArrival)
    turn.dueAt = Math.min(turn.dueAt, performance.now() + patienceMs(knownAtArrival))
    for (;;) {
      await queue.enter(turn)
      // From here on, a callback gets a status request of its own: what is read now may be older than it.
      turn.begun = true
      const known = draining.aborted ? undefined : await dedupe.previous(target)
      const next = await this.#decide(target, turn, known)
      if (next === 'request') return this.#findWithPermit(id, known)
      queue.leave()
      if (next === 'known') {
        this.lookUps.changed?.(id)
        return { state: 'known' }
      }
      turn.begun = false
      if (next === 'claimed') await wait(claimedAgainMs, draining)
      else turn.dueAt = performance.now() + patienceMs(known)
      turn.isOver = isOver(known)
    }
  }

  /** What to do when its turn has come. */
  async #decide(
    target: CallbackTarget,
    turn: Turn,
    known: Previous | undefined,
  ): Promise<'request' | 'known' | 'claimed' | 'put-off'> {
    if (isRequestedSince(await turn.arrived, known?.delivered)) return 'known'
    // Another process has found the outcome meanwhile, and others are due before what may be a copy.
    if (isOver(known) && !turn.isOver) return 'put-off'
    if (known?.look === undefined) return 'request'
    turn.waitsUntil ??= performance.now() + claimMs
    const holder = await this.#parts.dedupe.claim(target, known.look, claimMs)
    if (holder === known.look) turn.claim = holder
    // Whoever holds it may have been killed.
    const waits = holder !== undefined && performance.now() < turn.waitsUntil
    return waits && holder !== known.look ? 'claimed' : 'request'
  }

  async #findWithPermit(id: string, known: Previous | undefined): Promise<Found<P>> {
    const { queue } = this.#parts
    let waits = true
    const onSent = () => {
      if (waits) queue.sent()
      waits = false
    }
    try {
      return await this.#find(id, known, () => this.#lookUp(id, onSent))
    } finally {
      onSent()
      queue.ended()
    }
  }

  /** For `catchUp`: in the lowest lane, bounded by its own concurrency, and the error is in its result. */
  async #findNow(id: string, turn: Turn, signal: AbortSignal): Promise<Found<P>> {
    turn.begun = true
    const previous = await this.#parts.dedupe.previous(this.#target(id))
    return this.#find(id, previous, () => this.#poll(id, signal))
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
        return { state: 'found', ...found, last, look: previous?.look }
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
      const payment = await this.lookUps.lookUp(id, 'callback', { signal: draining }, onSent)
      if (spacing.found(keyOf(target), this.#statusOf(payment))) onNewStatus()
      this.lookUps.seen(id, payment)
      return { payment }
    } catch (error) {
      if (draining.aborted) return { error }
      spacing.failed(keyOf(target))
      const notVisibleYet = isGatewayError(error) && error.code === 'not_found'
      if (!notVisibleYet) this.#report(error, id, 'look-up')
      return { error }
    }
  }

  async #poll(id: string, signal: AbortSignal): Promise<Reading<P>> {
    try {
      const payment = await this.lookUps.lookUp(id, 'poll', { signal })
      this.lookUps.seen(id, payment)
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
      await this.#parts.dedupe.set(this.#target(id), look === undefined ? now : { ...now, look })
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

/** The receiver was made without a function for this kind, and payments of it change. */
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
      /** What was dealt with last. */
      readonly last: DeliveredStatus | undefined
      /** The number of this status request, where the store counts them. */
      readonly look: number | undefined
    }
  | { readonly state: 'known' }
  | { readonly state: 'missing'; readonly error: unknown }

/**
 * Whether somebody has dealt with the payment by a status request that began after the callback had arrived. One that
 * had begun before may show what was there before the callback's change, so that it says nothing.
 */
function isRequestedSince(arrived: number | undefined, delivered: DeliveredStatus | undefined): boolean {
  const look = delivered?.look
  return typeof arrived === 'number' && typeof look === 'number' && look > arrived
}

/**
 * How much later than others a callback is due, in milliseconds: the newest state of many payments is worth more than
 * every state of one. The first callback of a payment is followed by that of its outcome, as a rule, and what comes
 * after a final status is a copy, as a rule. Where nothing else waits, neither waits.
 */
function patienceMs(known: Previous | undefined): number {
  if (isOver(known)) return 60_000
  const isFirst = known !== undefined && known.delivered === undefined && (known.look ?? 1) === 1
  return isFirst ? 5000 : 0
}

function isOver(known: Previous | undefined): boolean {
  return known?.delivered?.final === true
}
