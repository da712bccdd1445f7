import { inTime, notInTime, wait, within } from '../client/input/wait.js'
import { watchDelivery } from '../client/observe/watch-delivery.js'
import { ConfigurationError, type PaymentKind, type PaymentLike, TimeoutError } from '../index.js'
import { refOf } from './callback-url.js'
import { isOver, isOvertaken, isRequestedSince, judge, type Known, patienceMs, stepOf } from './decisions.js'
import type { DeliveredStatus } from './dedupe.js'
import type { LookupOrder, Ticket } from './lookup-order.js'
import type { CallbackFailure, DeliveryContext } from './options.js'
import { type BoundedStore, PaymentRecord } from './payment-record.js'
import type { CallbackSettings } from './read-options.js'
import type { Reading, StatusRequestParts, StatusRequests } from './status-requests.js'

export type CallbackResult = 'succeeded' | 'failed' | 'unhandled' | 'unavailable' | 'refused'

/** What became of a payment that callbacks are about. */
export interface Delivered<P> {
  readonly result: Exclude<CallbackResult, 'refused'>
  /** Absent where a queue or another process deals with it, and where the lookup failed. */
  readonly payment?: P
  /** Whether the merchant's function was called. */
  readonly isCalled?: boolean
  /** Why it is unavailable. */
  readonly error?: unknown
}

export interface SharedParts extends StatusRequestParts {
  readonly settings: CallbackSettings
  readonly store: BoundedStore
  readonly order: LookupOrder
}

/** The merchant's function. */
export type Call<P> = (payment: P, id: string, context: DeliveryContext) => unknown

export interface DeliveryParts<P extends PaymentLike> extends SharedParts {
  readonly kind: PaymentKind
  readonly requests: StatusRequests<P>
  readonly call: Call<P> | undefined
}

/** A callback, or somebody who catches up until this signal fires. */
export type Occasion = 'callback' | { readonly signal: AbortSignal }

/** When another process's claim is looked at again, in milliseconds. */
const claimedAgainMs = 200
/** How often a status request is repeated because another process has delivered something meanwhile. */
const mostAgain = 3
/** How many callbacks of one payment may wait at once, each with a connection. */
const mostJoined = 100

/** One delivery of one payment, for all callbacks that come before its status request begins. */
export class Delivery<P extends PaymentLike> implements Ticket {
  dueAt = Number.POSITIVE_INFINITY
  /** Never rejects. */
  readonly done: Promise<Delivered<P>>
  readonly #parts: DeliveryParts<P>
  readonly #id: string
  readonly #record: PaymentRecord
  /** The delivery of the same payment that has to end first. */
  #earlier: Delivery<P> | undefined
  #stage: 'waiting' | 'requesting' | 'delivering' = 'waiting'
  #joined = 0
  /** The number of the last status request that had begun when the last callback arrived. */
  #arrivedAt: Promise<number | undefined> | undefined
  #wasOver = false

  constructor(parts: DeliveryParts<P>, id: string, occasion: Occasion, earlier?: Delivery<P>) {
    this.#parts = parts
    this.#id = id
    this.#record = new PaymentRecord({ kind: parts.kind, id }, parts.store)
    this.#earlier = earlier
    this.done = this.#run(occasion)
  }

  /** Too late for a callback that comes now. */
  get hasBegun(): boolean {
    return this.#stage !== 'waiting'
  }

  /** How many callbacks have joined this one and the one before. */
  get joined(): number {
    return this.#joined + (this.#earlier?.joined ?? 0)
  }

  /** One more callback. @returns whether it may wait for the result. */
  join(): boolean {
    this.#bringForward()
    const mayWait = this.joined < mostJoined
    if (mayWait) this.#joined++
    return mayWait
  }

  /** The result, or what can be said after so long. The delivery goes on: the gateway may never call again. */
  async resultIn(ms: number): Promise<CallbackResult> {
    const done = await inTime(this.done, ms)
    if (done !== notInTime) return done.result
    if (this.#stage === 'delivering') return (await this.done).result
    return (await this.#isKnown()) ? 'succeeded' : 'unavailable'
  }

  async #run(occasion: Occasion): Promise<Delivered<P>> {
    if (this.#earlier !== undefined) await this.#earlier.done
    this.#earlier = undefined
    const found = occasion === 'callback' ? await this.#findInTurn() : await this.#findNow(occasion.signal)
    this.#stage = 'delivering'
    const delivered = 'result' in found ? found : await this.#deliver(found)
    await this.#record.endClaim()
    return delivered
  }

  async #findInTurn(): Promise<Found<P> | Delivered<P>> {
    const { requests, settings, call, order, draining } = this.#parts
    await wait(requests.gapMs(this.#id), draining)
    if (draining.aborted) return this.#drained()
    if (settings.wake !== undefined) {
      const queued = await this.#wakeQueue(settings.wake)
      if (queued !== 'unknown') return queued
    }
    if (call === undefined) return this.#unhandled()
    const arrival = this.#record.known()
    this.#arrivedAt = arrival.then((known) => known?.requestNumber)
    const known = await arrival
    this.#wasOver = isOver(known)
    this.dueAt = Math.min(this.dueAt, performance.now() + patienceMs(known))
    for (;;) {
      const found = await order.run(this, (onSent) => this.#takeTurn(known?.requestNumber, onSent))
      if (found === 'claimed') await wait(claimedAgainMs, draining)
      else if (found !== 'put-off') return found
    }
  }

  /** Where a queue follows the payment, its worker requests the status. */
  async #wakeQueue(wake: NonNullable<CallbackSettings['wake']>): Promise<Delivered<P> | 'unknown'> {
    const { settings, requests, kind } = this.#parts
    const { lookupDeadlineMs } = settings
    const late = () => new Error(`wake took longer than ${lookupDeadlineMs} ms`)
    this.#stage = 'requesting'
    try {
      if ((await within(lookupDeadlineMs, late, () => wake(refOf(kind, this.#id)))) === true) {
        requests.leftToQueue(this.#id)
        return { result: 'succeeded' }
      }
      this.#stage = 'waiting'
      return 'unknown'
    } catch (error) {
      this.#report(error, 'wake')
      return { result: 'unavailable', error }
    }
  }

  async #takeTurn(
    claim: number | undefined,
    onSent: () => void,
  ): Promise<Found<P> | Delivered<P> | 'claimed' | 'put-off'> {
    const { requests, draining } = this.#parts
    if (draining.aborted) return this.#drained()
    this.#stage = 'requesting'
    const [known, isClaimed] = await Promise.all([this.#record.known(), this.#record.isClaimed(claim)])
    const step = stepOf({ arrivedAt: await this.#arrivedAt, known, wasOver: this.#wasOver, isClaimed })
    if (step === 'request') return this.#find(known, () => requests.forCallback(this.#id, onSent))
    void this.#record.endClaim()
    if (step === 'known') {
      requests.changed(this.#id)
      return { result: 'succeeded' }
    }
    this.#stage = 'waiting'
    this.#wasOver = isOver(known)
    if (step === 'put-off') this.dueAt = performance.now() + patienceMs(known)
    return step
  }

  async #findNow(signal: AbortSignal): Promise<Found<P> | Delivered<P>> {
    this.#stage = 'requesting'
    const known = await this.#record.known()
    return this.#find(known, () => this.#parts.requests.poll(this.#id, signal))
  }

  /** Repeats the status request until it is not older than what was delivered last. */
  async #find(
    known: Known | undefined,
    request: () => Promise<Reading<P>>,
  ): Promise<Found<P> | Delivered<P>> {
    let before = known
    for (let again = 0; ; again++) {
      const { payment, error } = await request()
      if (payment === undefined) return { result: 'unavailable', error }
      // A store that is away is not waited for twice.
      const last = before && (await this.#record.lastDelivered())
      const now = this.#parts.requests.read(payment)
      if (again === mostAgain || !isOvertaken(before?.delivered, last, now)) {
        return { payment, now, last, requestNumber: before?.requestNumber }
      }
      before = await this.#record.known()
    }
  }

  async #deliver({ payment, now, last, requestNumber }: Found<P>): Promise<Delivered<P>> {
    const { kind, call, settings } = this.#parts
    const { isCalled, isNew } = judge(last, now)
    if (!isCalled) return { result: 'succeeded', payment }
    if (call === undefined) return { ...this.#unhandled(), payment }
    const previous = last && { status: last.status, final: last.final }
    const { functionTimeoutMs: ms } = settings
    const ended = watchDelivery(refOf(kind, this.#id), now.status)
    try {
      await within(
        ms,
        () => tooSlow(ms),
        (signal) => call(payment, this.#id, { isNew, previous, signal }),
      )
    } catch (error) {
      ended({ error })
      this.#report(error, 'function')
      return { result: 'failed', payment, isCalled }
    }
    ended()
    // What was not dealt with is not remembered, and comes again.
    await this.#record.setDelivered(requestNumber === undefined ? now : { ...now, requestNumber })
    return { result: 'succeeded', payment, isCalled }
  }

  /** A callback came: the payment's newest state is worth more than that of payments that have changed once. */
  #bringForward(): void {
    if (this.#earlier !== undefined) this.#earlier.#bringForward()
    if (this.hasBegun || this.#arrivedAt === undefined) return
    this.#arrivedAt = this.#record.count()
    if (this.#wasOver) return
    this.dueAt = performance.now()
    this.#parts.order.serve()
  }

  /** By another process, before its turn. */
  async #isKnown(): Promise<boolean> {
    if (this.hasBegun) return false
    return isRequestedSince(await this.#arrivedAt, await this.#record.known())
  }

  #drained(): Delivered<P> {
    return { result: 'unavailable', error: this.#parts.draining.reason }
  }

  #unhandled(): Delivered<P> {
    this.#report(noFunction(this.#parts.kind), 'function')
    return { result: 'unhandled' }
  }

  #report(error: unknown, during: CallbackFailure['during']): void {
    this.#parts.report(error, { kind: this.#parts.kind, id: this.#id, during })
  }
}

interface Found<P> {
  readonly payment: P
  readonly now: DeliveredStatus
  /** Delivered before. */
  readonly last: DeliveredStatus | undefined
  /** Of this status request, where the store counts them. */
  readonly requestNumber: number | undefined
}

function tooSlow(ms: number): TimeoutError {
  return new TimeoutError(
    `the function did not end within functionTimeoutMs (${ms} ms); it may still run when the callback comes again, so heed the signal and make it faster.`,
  )
}

function noFunction(kind: PaymentKind): ConfigurationError {
  const option = kind === 'payin' ? 'onPayin' : 'onPayout'
  return new ConfigurationError(
    `a ${kind} changed, and the receiver has no ${option}; give it one, or no ${kind} a callbackUrl of this receiver.`,
    { option },
  )
}
