import { longestMs } from '../../input/durations.js'
import type { Lane } from '../../observe/events.js'
import type { Observer } from '../../observe/observer.js'
import { aborted } from '../abortable-wait.js'
import { type Failure, isFailure, type TransportResponse } from '../failure.js'
import { Acquiring } from './acquiring.js'
import { isBackground, lanes, nextLane } from './lanes.js'
import type { Limiter, Permit } from './limiter.js'
import { Pause } from './pause.js'
import { followedMs, retryAfterMs } from './retry-after.js'
import { type Sent, Spacing } from './spacing.js'
import { type Granted, type TakeOptions, Waiter, WaitingLane } from './waiting-lane.js'

export interface QueueParts {
  readonly limiter?: Limiter | undefined
  /** How many calls may wait. */
  readonly maxQueued: number
  readonly spacing?: Spacing
  /** How long until the next one of a background lane may go, while nobody waits in another. */
  readonly heldBackMs?: (lane: Lane) => number
  readonly observer?: Observer
}

/**
 * The one queue in front of the limiter. Every request of a client passes here, retries and token
 * requests included.
 */
export class PermitQueue {
  readonly #parts: QueueParts
  readonly #acquiring: Acquiring
  readonly #spacing: Spacing
  readonly #pause = new Pause()
  readonly #lanes = lanes.map((lane) => new WaitingLane(lane))
  /** Those who came in this turn. */
  #arrived: Waiter[] = []
  #closed = false
  #queued = 0
  /** How many permits in a row were given while more than one lane waited. */
  #turn = 0
  #isServing = false
  /** There while everybody who waits is held back. */
  #holding: NodeJS.Timeout | undefined

  constructor(parts: QueueParts) {
    this.#parts = parts
    this.#acquiring = new Acquiring(parts.limiter ?? unlimited)
    this.#spacing = parts.spacing ?? new Spacing(undefined, 'in-windows')
  }

  /** How many calls wait. */
  get queued(): number {
    return this.#queued
  }

  /** For how long nobody gets a permit, in milliseconds. */
  get pausedMs(): number {
    return this.#pause.remainingMs
  }

  /** Waits for a permit. Resolves to it, or to why it will not come. */
  take(name: Lane, options: TakeOptions): Promise<Granted | Failure> {
    const refusal = this.#refusal(options)
    if (refusal !== undefined) return Promise.resolve(refusal)
    const lane = this.#lanes.find((one) => one.name === name)
    if (lane === undefined) throw new RangeError(`no lane ${name}`)
    return new Promise((resolve) => {
      const waiter = new Waiter(this, lane, this.#hasToWait(), options, resolve)
      lane.add(waiter, options.again ?? false)
      this.#queued++
      // All that come in one turn are looked at together: who goes first is not who asked first.
      if (this.#arrived.push(waiter) === 1) queueMicrotask(() => this.#welcome())
      if (waiter.isPublished) this.#publish('queued', lane)
    })
  }

  #welcome(): void {
    const arrived = this.#arrived
    this.#arrived = []
    // A subscriber to the queue's events may have given a call up by now.
    for (const waiter of arrived) waiter.leaveIfAborted()
    if (arrived.some(({ isWaiting, lane }) => isWaiting && !isBackground(lane.name))) this.#hurry()
    this.#serve()
    // Most have their permit, and need no timer.
    for (const waiter of arrived) if (waiter.isWaiting) waiter.limit()
  }

  /** Why a call need not begin to wait. */
  #refusal({ signal, remainingMs }: TakeOptions): Failure | undefined {
    if (this.#closed) return { kind: 'closed' }
    if (signal?.aborted === true) return aborted(signal)
    const { pausedMs } = this
    if (pausedMs > 0 && pausedMs >= remainingMs) return { kind: 'paused', retryAfterMs: pausedMs }
    return this.#hasToWait() && this.#queued >= this.#parts.maxQueued ? { kind: 'queue-full' } : undefined
  }

  /** Without a limiter nobody waits but for a pause. */
  #hasToWait(): boolean {
    return this.#parts.limiter !== undefined || this.#pause.holdMs > 0
  }

  /** Whether a request may still go out with this permit. */
  isGood({ at, useBefore }: Granted): boolean {
    return performance.now() <= useBefore && !this.#pause.overtook(at)
  }

  /** A permitted request went out, or ended before that. */
  sent(): Sent {
    this.#acquiring.sent()
    return this.#spacing.sent(performance.now())
  }

  /** A permit is not used. */
  giveBack(): void {
    this.#acquiring.sent()
  }

  /**
   * A request that went out was answered.
   *
   * @param wallMs for `Retry-After` as a date.
   * @param leftMs of the deadline of its call.
   */
  answered(sent: Sent, { status, headers }: TransportResponse, wallMs: () => number, leftMs: number): void {
    const now = performance.now()
    const { counted: from } = this.#spacing
    if (status === 429) {
      this.#pause.refused()
      const askedMs = retryAfterMs(headers.get('retry-after'), wallMs())
      this.pause(this.#spacing.refused(sent, askedMs && followedMs(askedMs, leftMs), now))
    } else {
      this.#spacing.answered(sent, now)
      if (this.#pause.answered(sent.at)) this.#lookAgain()
    }
    const { counted: to } = this.#spacing
    if (from === to) return
    const { observer } = this.#parts
    observer?.publish('merchant-gateway:budget', { client: observer.client, kind: 'spacing', from, to })
  }

  /** Nobody is granted a permit for this long. */
  pause(ms: number): void {
    if (!this.#pause.begin(ms)) return
    this.#acquiring.pause(ms)
    const { observer } = this.#parts
    observer?.publish('merchant-gateway:budget', { client: observer.client, kind: 'paused', pauseMs: ms })
  }

  /** Refuses everybody who waits and everybody who comes. */
  close(): void {
    this.#closed = true
    for (const lane of this.#lanes) {
      for (let { first } = lane; first !== undefined; first = lane.first) first.refuse({ kind: 'closed' })
    }
  }

  /** @internal Somebody has been granted a permit, or refused. */
  left(waiter: Waiter, how: 'granted' | 'left'): void {
    const { lane, isPublished } = waiter
    lane.remove(waiter)
    this.#queued--
    if (isPublished) this.#publish(how, lane)
    if (this.#queued > 0) return
    this.#endHold()
    this.#acquiring.abandon()
  }

  #publish(kind: 'queued' | 'granted' | 'left', { name, depth }: WaitingLane): void {
    const { observer } = this.#parts
    if (observer?.wants('merchant-gateway:budget') !== true) return
    observer.publish('merchant-gateway:budget', { client: observer.client, kind, lane: name, depth })
  }

  /** Hands out permits until nobody waits, the limiter keeps the next one waiting, or all are held back. */
  #serve(): void {
    // A subscriber to the queue's events may make a call of its own.
    if (this.#isServing) return
    this.#isServing = true
    try {
      while (this.#queued > 0 && this.#holding === undefined && this.#acquiring.pending === undefined) {
        const holdMs = this.#holdMs()
        if (holdMs > 0) this.#hold(holdMs)
        else this.#acquiring.ask(this.#onlyBackgroundWaits() ? 'bulk' : 'customer', this.#came)
      }
    } finally {
      this.#isServing = false
    }
  }

  /** A permit, or why there is none: whoever is next has it. */
  readonly #came = (came: Permit | Failure): void => {
    if (isFailure(came)) this.#next()?.first?.refuse(came)
    else if (this.pausedMs > 0) this.giveBack()
    else if (performance.now() > came.useBefore) {
      this.giveBack()
      // A limiter that only gives what is too late must not be asked without a breath.
      this.#hold(1)
    } else this.#grant(came)
    this.#serve()
  }

  #grant({ useBefore }: Permit): void {
    const lane = this.#next()
    if (lane?.first === undefined) {
      this.giveBack()
      return
    }
    this.#turn = lane.depth < this.#queued ? this.#turn + 1 : 0
    const at = performance.now()
    this.#pause.permitted(at)
    lane.first.grant({ useBefore, at })
  }

  #next(): WaitingLane | undefined {
    const waiting = this.#lanes.filter(({ depth }) => depth > 0)
    return nextLane(waiting, this.#turn)
  }

  #onlyBackgroundWaits(): boolean {
    return this.#lanes.every(({ name, depth }) => depth === 0 || isBackground(name))
  }

  /** For how long nobody may be granted a permit, as things are now. */
  #holdMs(): number {
    const { holdMs } = this.#pause
    const { heldBackMs } = this.#parts
    if (holdMs > 0 || heldBackMs === undefined || !this.#onlyBackgroundWaits()) return holdMs
    const lane = this.#next()
    return lane === undefined ? 0 : heldBackMs(lane.name)
  }

  #hold(ms: number): void {
    this.#holding = setTimeout(() => this.#lookAgain(), Math.ceil(Math.min(ms, longestMs)))
  }

  #endHold(): void {
    clearTimeout(this.#holding)
    this.#holding = undefined
  }

  #lookAgain(): void {
    this.#endHold()
    this.#serve()
  }

  /** Somebody came who goes before those in the background: what was begun for them is begun anew. */
  #hurry(): void {
    this.#endHold()
    if (this.#acquiring.pending === 'bulk') this.#acquiring.abandon()
  }
}

/** With `rateLimit: false`. */
const unlimited: Limiter = { acquire: () => undefined }
