import { longestMs } from '../../input/reader.js'
import type { Lane } from '../../observe/events.js'
import type { Observer } from '../../observe/observer.js'
import { aborted, type Failure, isFailure, type TransportResponse } from '../failure.js'
import { Acquiring } from './acquiring.js'
import { isBackground, lanes, nextLane } from './lanes.js'
import type { Limiter, Permit } from './limiter.js'
import { Pause } from './pause.js'
import { followedMs, retryAfterMs } from './retry-after.js'
import { type Sent, Spacing } from './spacing.js'
import { WindowLimiter } from './window-limiter.js'

/** A permit, and when it was granted, on the monotonic clock. */
export interface Granted extends Permit {
  readonly at: number
}

export interface TakeOptions {
  readonly signal: AbortSignal | undefined
  readonly remainingMs: number
  /** Whether it had a permit before: it goes before those of its priority that asked later. */
  readonly again?: boolean
}

/** One call that waits for a permit. A plain record, since thousands may wait. */
interface Waiter extends TakeOptions {
  readonly lane: WaitingLane
  readonly isPublished: boolean
  readonly resolve: (result: Granted | Failure) => void
  isWaiting: boolean
  timer: NodeJS.Timeout | undefined
  onAbort: (() => void) | undefined
}

/** Those who wait with one priority: calls that had a permit before first, then in the order in which they asked. */
interface WaitingLane {
  readonly name: Lane
  readonly isBackground: boolean
  readonly waiters: Waiter[]
}

export interface QueueParts {
  readonly limiter?: Limiter | undefined
  /** How many calls may wait. */
  readonly maxQueued: number
  readonly observer?: Observer
}

/**
 * The one queue in front of the limiter. Every request of a client passes here, retries and token
 * requests included.
 */
export class PermitQueue {
  readonly #parts: QueueParts
  readonly #acquiring: Acquiring
  /** The limiter, where it is the client's own. */
  readonly #window: WindowLimiter | undefined
  readonly #spacing: Spacing
  readonly #lanes: readonly WaitingLane[] = lanes.map(waitingLane)
  readonly #laneOf = new Map(this.#lanes.map((lane) => [lane.name, lane]))
  #pause: Pause | undefined
  #arrived: Waiter[] = []
  #closed = false
  #queued = 0
  /** How many of them wait with a priority that is not of the background. */
  #queuedForCustomers = 0
  /** How many permits in a row were granted while more than one priority waited. */
  #turn = 0
  #isServing = false
  #holding: NodeJS.Timeout | undefined

  constructor(parts: QueueParts) {
    this.#parts = parts
    const { limiter = unlimited } = parts
    this.#acquiring = new Acquiring(limiter)
    this.#window = limiter instanceof WindowLimiter ? limiter : undefined
    this.#spacing = this.#window?.spacing ?? new Spacing(undefined, 'in-windows')
  }

  get queued(): number {
    return this.#queued
  }

  get pausedMs(): number {
    return this.#pause?.remainingMs ?? 0
  }

  /** Waits for a permit. Resolves to it, or to why it will not come. */
  take(name: Lane, { signal, remainingMs, again = false }: TakeOptions): Promise<Granted | Failure> {
    return new Promise((resolve) => {
      if (this.#closed) return resolve({ kind: 'closed' })
      if (signal?.aborted === true) return resolve(aborted(signal))
      const pausedMs = this.#pause?.remainingMs ?? 0
      if (pausedMs > 0 && pausedMs >= remainingMs) return resolve({ kind: 'paused', retryAfterMs: pausedMs })
      const { limiter, maxQueued, observer } = this.#parts
      // Without a limiter nobody waits but for a pause.
      const hasToWait = limiter !== undefined || (this.#pause?.holdMs ?? 0) > 0
      if (hasToWait && this.#queued >= maxQueued) return resolve({ kind: 'queue-full' })
      const lane = this.#laneOf.get(name)
      if (lane === undefined) throw new RangeError(`no lane ${name}`)
      const isPublished = hasToWait && observer?.wants('merchant-gateway:rate-limit') === true
      const waiter: Waiter = {
        lane,
        signal,
        remainingMs,
        again,
        isPublished,
        resolve,
        isWaiting: true,
        timer: undefined,
        onAbort: undefined,
      }
      const before = again ? lane.waiters.findIndex((other) => other.again !== true) : -1
      if (before === -1) lane.waiters.push(waiter)
      else lane.waiters.splice(before, 0, waiter)
      this.#queued++
      if (!lane.isBackground) this.#queuedForCustomers++
      // All that come in one turn are looked at together: who goes first is not who asked first.
      if (this.#arrived.push(waiter) === 1) queueMicrotask(this.#welcome)
      if (isPublished) this.#publish('queued', lane)
    })
  }

  readonly #welcome = (): void => {
    const arrived = this.#arrived
    this.#arrived = []
    let hurries = false
    for (const waiter of arrived) {
      const { signal, lane } = waiter
      // A subscriber to the queue's events may have ended a call by now.
      if (signal?.aborted === true) this.#leave(waiter, aborted(signal))
      else if (waiter.isWaiting && !lane.isBackground) hurries = true
    }
    // A customer goes before the background: what was begun for the background is begun anew.
    if (hurries && this.#holding !== undefined) this.#endHold()
    if (hurries && this.#acquiring.pending === 'bulk') this.#acquiring.abandon()
    this.#serve()
    // Most have their permit by now, and need no timer.
    for (const waiter of arrived) if (waiter.isWaiting) this.#limit(waiter)
  }

  /** Its permit did not come at once: from now on its time runs, and its caller's signal is heard. */
  #limit(waiter: Waiter): void {
    const { signal, remainingMs } = waiter
    waiter.timer = setTimeout(this.#outOfTime, remainingMs, waiter)
    if (signal === undefined) return
    waiter.onAbort = () => this.#leave(waiter, aborted(signal))
    signal.addEventListener('abort', waiter.onAbort)
  }

  readonly #outOfTime = (waiter: Waiter): void => {
    this.#leave(waiter, { kind: 'deadline', sent: false, while: 'waiting for a permit' })
  }

  /** Whether a request may still go out with this permit. */
  isGood({ at, useBefore }: Granted): boolean {
    return performance.now() <= useBefore && this.#pause?.overtook(at) !== true
  }

  /** A permitted request went out, or ended before that: its permit is used up in any case. */
  sent(): Sent {
    this.#acquiring.sent()
    return this.#spacing.sent(performance.now())
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
      this.#pause ??= new Pause()
      this.#pause.refused()
      const askedMs = retryAfterMs(headers.get('retry-after'), wallMs())
      this.pause(this.#spacing.refused(sent, askedMs && followedMs(askedMs, leftMs), now))
    } else {
      if (this.#spacing.answered(sent, now)) this.#window?.checkAgain()
      if (this.#pause?.answered(sent.at) === true) this.#checkAgain()
    }
    const { counted: to } = this.#spacing
    if (from === to) return
    const { observer } = this.#parts
    observer?.publish('merchant-gateway:rate-limit', { client: observer.client, kind: 'spacing', from, to })
  }

  /** Nobody is granted a permit for this long. */
  pause(ms: number): void {
    this.#pause ??= new Pause()
    if (!this.#pause.begin(ms)) return
    this.#acquiring.pause(ms)
    const { observer } = this.#parts
    observer?.publish('merchant-gateway:rate-limit', { client: observer.client, kind: 'paused', pauseMs: ms })
  }

  close(): void {
    this.#closed = true
    for (const { waiters } of this.#lanes) {
      for (const waiter of [...waiters]) this.#leave(waiter, { kind: 'closed' })
    }
  }

  /** Hands out permits until nobody waits, the limiter keeps the next one waiting, or all are held back. */
  #serve(): void {
    // A subscriber to the queue's events may make a call of its own.
    if (this.#isServing) return
    this.#isServing = true
    try {
      while (this.#queued > 0 && this.#holding === undefined && this.#acquiring.pending === undefined) {
        const priority = this.#queuedForCustomers > 0 ? 'customer' : 'bulk'
        let holdMs = this.#pause?.holdMs ?? 0
        if (holdMs === 0 && priority === 'bulk') holdMs = this.#heldBackMs()
        if (holdMs > 0) this.#hold(holdMs)
        else this.#acquiring.ask(priority, this.#onPermit)
      }
    } finally {
      this.#isServing = false
    }
  }

  /** A permit, or why there is none: whoever is next in turn has it. */
  readonly #onPermit = (result: Permit | Failure): void => {
    const waiter = this.#next()?.waiters[0]
    const at = performance.now()
    if (isFailure(result)) {
      if (waiter !== undefined) this.#leave(waiter, result)
    } else if (waiter === undefined || (this.#pause !== undefined && this.#pause.remainingMs > 0)) {
      this.#acquiring.sent()
    } else if (at > result.useBefore) {
      this.#acquiring.sent()
      // A limiter whose permits are always too late must not be asked in a tight loop.
      this.#hold(1)
    } else {
      this.#turn = waiter.lane.waiters.length < this.#queued ? this.#turn + 1 : 0
      this.#pause?.permitted(at)
      this.#leave(waiter, { useBefore: result.useBefore, at })
    }
    this.#serve()
  }

  #next(): WaitingLane | undefined {
    const waiting: WaitingLane[] = []
    for (const lane of this.#lanes) if (lane.waiters.length > 0) waiting.push(lane)
    return waiting.length > 1 ? nextLane(waiting, this.#turn) : waiting[0]
  }

  /** It waits no longer: it has its permit, or there is a reason why it gets none. */
  #leave(waiter: Waiter, result: Granted | Failure): void {
    if (!waiter.isWaiting) return
    waiter.isWaiting = false
    const { lane, signal, timer, onAbort } = waiter
    clearTimeout(timer)
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort)
    lane.waiters.splice(lane.waiters.indexOf(waiter), 1)
    this.#queued--
    if (!lane.isBackground) this.#queuedForCustomers--
    waiter.resolve(result)
    if (waiter.isPublished) this.#publish(isFailure(result) ? 'left' : 'granted', lane)
    if (this.#queued > 0) return
    if (this.#holding !== undefined) this.#endHold()
    if (this.#acquiring.pending !== undefined) this.#acquiring.abandon()
  }

  #publish(kind: 'queued' | 'granted' | 'left', { name, waiters }: WaitingLane): void {
    const { observer } = this.#parts
    const depth = waiters.length
    observer?.publish('merchant-gateway:rate-limit', { client: observer.client, kind, lane: name, depth })
  }

  /** For how long the background waits, while nobody else does. */
  #heldBackMs(): number {
    const lane = this.#next()
    return lane === undefined ? 0 : (this.#window?.heldBackMs(lane.name) ?? 0)
  }

  #hold(ms: number): void {
    this.#holding = setTimeout(() => this.#checkAgain(), Math.ceil(Math.min(ms, longestMs)))
  }

  #endHold(): void {
    clearTimeout(this.#holding)
    this.#holding = undefined
  }

  #checkAgain(): void {
    this.#endHold()
    this.#serve()
  }
}

function waitingLane(name: Lane): WaitingLane {
  return { name, isBackground: isBackground(name), waiters: [] }
}

/** With `rateLimit: false`. */
const unlimited: Limiter = { acquire: () => undefined }
