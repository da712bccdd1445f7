import { longestMs } from '../../input/reader.js'
import type { Observer } from '../../observe/observer.js'
import { aborted, type Failure, isFailure, type TransportResponse } from '../failure.js'
import { Acquiring } from './acquiring.js'
import { FairQueue, type Queued } from './fair-queue.js'
import type { Limiter, Permit, Priority } from './limiter.js'
import { Pause } from './pause.js'
import { followedMs, retryAfterMs } from './retry-after.js'
import { type Sent, Spacing } from './spacing.js'
import { WindowLimiter } from './window-limiter.js'

/** A permit, and when it was granted, on the monotonic clock. */
export interface Granted extends Permit {
  readonly at: number
}

export interface TakeOptions extends Queued {
  readonly signal: AbortSignal | undefined
  readonly remainingMs: number
}

/** One call that waits for a permit. A plain record, since thousands may wait. */
interface Waiter extends TakeOptions {
  readonly isPublished: boolean
  readonly resolve: (result: Granted | Failure) => void
  isWaiting: boolean
  timer: NodeJS.Timeout | undefined
  onAbort: (() => void) | undefined
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
  readonly #waiting = new FairQueue<Waiter>()
  #pause: Pause | undefined
  #arrived: Waiter[] = []
  #closed = false
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
    return this.#waiting.size
  }

  get pausedMs(): number {
    return this.#pause?.remainingMs ?? 0
  }

  /** Waits for a permit. Resolves to it, or to why it will not come. */
  take({ priority, flow, since, signal, remainingMs }: TakeOptions): Promise<Granted | Failure> {
    return new Promise((resolve) => {
      if (this.#closed) return resolve({ kind: 'closed' })
      if (signal?.aborted === true) return resolve(aborted(signal))
      const pausedMs = this.#pause?.remainingMs ?? 0
      if (pausedMs > 0 && pausedMs >= remainingMs) return resolve({ kind: 'paused', retryAfterMs: pausedMs })
      const { limiter, maxQueued, observer } = this.#parts
      // Without a limiter nobody waits but for a pause.
      const hasToWait = limiter !== undefined || (this.#pause?.holdMs ?? 0) > 0
      if (hasToWait && this.#waiting.size >= maxQueued) return resolve({ kind: 'queue-full' })
      const isPublished = hasToWait && observer?.wants('merchant-gateway:rate-limit') === true
      const waiter: Waiter = {
        priority,
        flow,
        since,
        signal,
        remainingMs,
        isPublished,
        resolve,
        isWaiting: true,
        timer: undefined,
        onAbort: undefined,
      }
      this.#waiting.add(waiter)
      // All that come in one turn are looked at together: who goes first is not who asked first.
      if (this.#arrived.push(waiter) === 1) queueMicrotask(this.#welcome)
      if (isPublished) this.#publish('queued', priority)
    })
  }

  readonly #welcome = (): void => {
    const arrived = this.#arrived
    this.#arrived = []
    let hurries = false
    for (const waiter of arrived) {
      const { signal, priority } = waiter
      // A subscriber to the queue's events may have ended a call by now.
      if (signal?.aborted === true) this.#leave(waiter, aborted(signal))
      else if (waiter.isWaiting && priority !== 'background') hurries = true
    }
    // A customer goes before the background: what was begun for the background is begun anew.
    if (hurries && this.#holding !== undefined) this.#endHold()
    if (hurries && this.#acquiring.pending === 'background') this.#acquiring.abandon()
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
    observer?.publish('merchant-gateway:rate-limit', { client: observer.client, kind: 'pacing', from, to })
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
    for (let waiter = this.#waiting.take(); waiter !== undefined; waiter = this.#waiting.take()) {
      this.#end(waiter, { kind: 'closed' })
    }
  }

  /** Hands out permits until nobody waits, the limiter keeps the next one waiting, or all are held back. */
  #serve(): void {
    // A subscriber to the queue's events may make a call of its own.
    if (this.#isServing) return
    this.#isServing = true
    try {
      while (this.#waiting.size > 0 && this.#holding === undefined && this.#acquiring.pending === undefined) {
        const priority = this.#waiting.isAllBackground ? 'background' : 'customer'
        let holdMs = this.#pause?.holdMs ?? 0
        if (holdMs === 0 && priority === 'background') holdMs = this.#window?.evenlyInMs ?? 0
        if (holdMs > 0) this.#hold(holdMs)
        else this.#acquiring.ask(priority, this.#onPermit)
      }
    } finally {
      this.#isServing = false
    }
  }

  /** A permit, or why there is none: whoever is next in turn has it. */
  readonly #onPermit = (result: Permit | Failure): void => {
    const at = performance.now()
    if (isFailure(result)) {
      const waiter = this.#waiting.take()
      if (waiter !== undefined) this.#end(waiter, result)
    } else if (this.#waiting.size === 0 || (this.#pause !== undefined && this.#pause.remainingMs > 0)) {
      this.#acquiring.sent()
    } else if (at > result.useBefore) {
      this.#acquiring.sent()
      // A limiter whose permits are always too late must not be asked in a tight loop.
      this.#hold(1)
    } else {
      const waiter = this.#waiting.take()
      this.#pause?.permitted(at)
      if (waiter !== undefined) this.#end(waiter, { useBefore: result.useBefore, at })
    }
    this.#serve()
  }

  /** It gives up before its turn. */
  #leave(waiter: Waiter, why: Failure): void {
    if (!waiter.isWaiting) return
    this.#waiting.remove(waiter)
    this.#end(waiter, why)
  }

  /** It waits no longer: it has its permit, or there is a reason why it gets none. */
  #end(waiter: Waiter, result: Granted | Failure): void {
    waiter.isWaiting = false
    const { priority, signal, timer, onAbort } = waiter
    clearTimeout(timer)
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort)
    waiter.resolve(result)
    if (waiter.isPublished) this.#publish(isFailure(result) ? 'left' : 'granted', priority)
    if (this.#waiting.size > 0) return
    if (this.#holding !== undefined) this.#endHold()
    if (this.#acquiring.pending !== undefined) this.#acquiring.abandon()
  }

  #publish(kind: 'queued' | 'granted' | 'left', priority: Priority): void {
    const { observer } = this.#parts
    const depth = this.#waiting.depth(priority)
    observer?.publish('merchant-gateway:rate-limit', { client: observer.client, kind, priority, depth })
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

/** With `rateLimit: false`. */
const unlimited: Limiter = { acquire: () => undefined }
