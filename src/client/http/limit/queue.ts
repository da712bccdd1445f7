import { longestMs } from '../../input/kinds.js'
import { channels } from '../../observe/channels.js'
import type { Observer } from '../../observe/observer.js'
import { aborted, type Failure, type TransportResponse } from '../failure.js'
import { FairQueue, type Queued } from './fair-queue.js'
import type { Counted, CountedRate, Limiter, Permit, PermitRequest, Priority } from './limiter.js'
import { countedOf } from './pacing.js'
import { PermitSource } from './permit-source.js'
import { followedMs, retryAfterMs } from './retry-after.js'
import { SendWindow, type Sent } from './send-window.js'

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
  /** What this process counts by itself; without it nobody waits but for a pause, or for a limiter of the caller's own. */
  readonly rate?: CountedRate | undefined
  readonly limiter?: Limiter | undefined
  readonly maxQueued: number
  readonly observer?: Observer
}

/** The one queue for permits: {@link FairQueue} says who is next, {@link SendWindow} and the caller's own limiter say when. */
export class PermitQueue {
  readonly #parts: QueueParts
  readonly #window: SendWindow
  readonly #source: PermitSource | undefined
  readonly #waiting = new FairQueue<Waiter>()
  queued = 0
  #arrived: Waiter[] = []
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(parts: QueueParts) {
    this.#parts = parts
    this.#window = new SendWindow(parts.rate)
    this.#source = parts.limiter && new PermitSource(parts.limiter)
  }

  get pausedMs(): number {
    return this.#window.pausedMs(performance.now())
  }

  take(options: TakeOptions): Promise<Granted | Failure> {
    if (this.#mayGoAtOnce(options)) {
      const at = performance.now()
      this.#window.permit(at)
      return Promise.resolve({ ...atAnyTime, at })
    }
    const why = this.#refusal(options)
    return why === undefined ? new Promise((resolve) => this.#enter(options, resolve)) : Promise.resolve(why)
  }

  /** Most requests find nobody before them, and the window open. */
  #mayGoAtOnce({ priority, signal }: TakeOptions): boolean {
    const isAlone = this.queued === 0 && this.#source === undefined && priority !== 'background'
    const isOver =
      this.#closed || signal?.aborted === true || channels['merchant-gateway:rate-limit'].hasSubscribers
    return isAlone && !isOver && this.#window.inMs(performance.now()) <= 0
  }

  #refusal({ signal, remainingMs }: TakeOptions): Failure | undefined {
    if (this.#closed) return { kind: 'closed' }
    if (signal?.aborted === true) return aborted(signal)
    const { pausedMs } = this
    if (pausedMs > 0 && pausedMs >= remainingMs) return { kind: 'paused', retryAfterMs: pausedMs }
    const isFull = this.#hasToWait && this.queued >= this.#parts.maxQueued
    return isFull ? { kind: 'queue-full' } : undefined
  }

  get #hasToWait(): boolean {
    return this.#source !== undefined || this.#window.isLimited || this.#window.inMs(performance.now()) > 0
  }

  #enter({ priority, flow, since, signal, remainingMs }: TakeOptions, resolve: Waiter['resolve']): void {
    const { observer } = this.#parts
    const isPublished = observer?.wants('merchant-gateway:rate-limit') === true && this.#hasToWait
    // Copied with `...`, one would cost ten times as much.
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
    this.queued++
    // All that come in one turn are looked at together: who goes first is not who asked first.
    if (this.#arrived.push(waiter) === 1) queueMicrotask(this.#welcome)
    if (isPublished) this.#publish('queued', priority)
  }

  readonly #welcome = (): void => {
    const arrived = this.#arrived
    this.#arrived = []
    // A subscriber to the queue's events may have ended a call by now.
    for (const waiter of arrived) {
      const { signal } = waiter
      if (signal?.aborted === true) this.#leave(waiter, aborted(signal))
    }
    // A customer goes before the background: what was begun for the background is begun anew.
    if (this.#source?.asked === 'background' && !this.#waiting.isAllBackground) this.#source.abandon()
    this.#serve()
    for (const waiter of arrived) if (waiter.isWaiting) this.#limit(waiter)
  }

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

  isGood({ at, useBefore }: Granted): boolean {
    return performance.now() <= useBefore && at >= this.#window.pausedAt
  }

  sent(): Sent {
    this.#parts.limiter?.sent?.()
    const sent = this.#window.sent(performance.now())
    if (this.#timer !== undefined) this.#serve()
    return sent
  }

  answered(sent: Sent, { status, headers }: TransportResponse, wallMs: () => number, leftMs: number): void {
    const now = performance.now()
    const { pace } = this.#window
    if (status === 429) {
      const askedMs = retryAfterMs(headers.get('retry-after'), wallMs())
      this.pause(this.#window.refused(sent, askedMs && followedMs(askedMs, leftMs), now))
    } else {
      this.#window.answered(sent, now)
      if (this.#timer !== undefined) this.#serve()
    }
    if (this.#window.pace !== pace) this.#publishPacing(countedOf(pace), countedOf(this.#window.pace))
  }

  #publishPacing(from: Counted, to: Counted): void {
    const { observer } = this.#parts
    if (from !== to)
      observer?.publish('merchant-gateway:rate-limit', { client: observer.client, kind: 'pacing', from, to })
  }

  pause(ms: number): void {
    if (!this.#window.pause(ms, performance.now())) return
    const { limiter, observer } = this.#parts
    limiter?.pause?.(ms)
    observer?.publish('merchant-gateway:rate-limit', { client: observer.client, kind: 'paused', pauseMs: ms })
  }

  close(): void {
    this.#closed = true
    for (let waiter = this.#waiting.take(); waiter !== undefined; waiter = this.#waiting.take()) {
      this.#end(waiter, { kind: 'closed' })
    }
  }

  readonly #serve = (): void => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    while (this.queued > 0 && this.#timer === undefined) {
      const { isAllBackground } = this.#waiting
      const now = performance.now()
      const ms = isAllBackground ? this.#window.backgroundInMs(now) : this.#window.inMs(now)
      if (ms > 0) {
        this.#serveIn(ms)
        return
      }
      const result = this.#ask(isAllBackground ? 'background' : 'customer')
      if (result === undefined) return
      this.#give(result)
    }
  }

  #ask(priority: PermitRequest['priority']): Permit | Failure | undefined {
    if (this.#source === undefined) return atAnyTime
    return this.#source.asked !== undefined ? undefined : this.#source.ask(priority, this.#onPermit)
  }

  #serveIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#serve, Math.ceil(Math.min(ms, longestMs)))
  }

  readonly #onPermit = (result: Permit | Failure): void => {
    this.#give(result)
    if (this.#timer === undefined) this.#serve()
  }

  #give(result: Permit | Failure): void {
    const at = performance.now()
    if ('kind' in result) {
      this.#end(this.#waiting.take(), result)
    } else if (at > result.useBefore) {
      this.#parts.limiter?.sent?.()
      // A limiter whose permits are always too late must not be asked in a tight loop.
      this.#serveIn(1)
    } else if (this.pausedMs > 0) {
      this.#parts.limiter?.sent?.()
    } else {
      this.#window.permit(at)
      this.#end(this.#waiting.take(), { useBefore: result.useBefore, at })
    }
  }

  #leave(waiter: Waiter, why: Failure): void {
    if (this.#waiting.remove(waiter)) this.#end(waiter, why)
  }

  #end(waiter: Waiter | undefined, result: Granted | Failure): void {
    if (waiter === undefined) return
    waiter.isWaiting = false
    this.queued--
    const { priority, signal, timer, onAbort } = waiter
    clearTimeout(timer)
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort)
    waiter.resolve(result)
    if (waiter.isPublished) this.#publish('kind' in result ? 'left' : 'granted', priority)
    if (this.queued > 0) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#source?.abandon()
  }

  #publish(kind: 'queued' | 'granted' | 'left', priority: Priority): void {
    const { observer } = this.#parts
    const depth = this.#waiting.depth(priority)
    observer?.publish('merchant-gateway:rate-limit', { client: observer.client, kind, priority, depth })
  }
}

const atAnyTime: Permit = { useBefore: Number.POSITIVE_INFINITY }
