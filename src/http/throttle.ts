import pThrottle from 'p-throttle'
import type { Limiter } from './budget.js'

/**
 * So many requests a second and no more, as a server counts that sees them arrive.
 *
 * p-throttle paces. Two things it can't know are kept here: a permitted request that still waits
 * for its connection has not been counted by the gateway yet, so it holds its place until it is on
 * the wire; and p-throttle reads the wall clock, which somebody may turn.
 */
export class ThrottleLimiter implements Limiter {
  readonly #requests: number
  readonly #windowMs = 1000 + guardMs / 2
  #pace: Pace
  #clockOffset = Date.now() - performance.now()
  /** When the newest requests went out, oldest first; at most one window's worth. */
  readonly #sentAt: number[] = []
  #onTheWay = 0
  #wake: (() => void) | undefined

  /** @param requestsPerSecond what the server allows in any second. */
  constructor(requestsPerSecond: number) {
    this.#requests = requestsPerSecond
    this.#pace = new Pace(requestsPerSecond)
  }

  async acquire(signal: AbortSignal): Promise<void> {
    this.#noticeTurnedClock()
    const giveUp = () => {
      this.#pace.end(signal.reason)
      this.#pace = new Pace(this.#requests)
      this.#wake?.()
    }
    signal.addEventListener('abort', giveUp)
    try {
      await this.#pace.next()
      while (!signal.aborted && !this.#hasRoom()) await this.#room()
      this.#onTheWay++
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  sent(): void {
    this.#onTheWay--
    this.#sentAt.push(performance.now())
    if (this.#sentAt.length > this.#requests) this.#sentAt.shift()
    this.#wake?.()
  }

  #noticeTurnedClock(): void {
    const offset = Date.now() - performance.now()
    // Set back by an hour, p-throttle would wait an hour; set forward, it would forget what it let pass.
    if (Math.abs(offset - this.#clockOffset) > turnedClockMs) this.#pace = new Pace(this.#requests)
    this.#clockOffset = offset
  }

  #hasRoom(): boolean {
    const windowStart = performance.now() - this.#windowMs
    while (this.#sentAt[0] !== undefined && this.#sentAt[0] <= windowStart) this.#sentAt.shift()
    return this.#sentAt.length + this.#onTheWay < this.#requests
  }

  /** Until the oldest request leaves the window, or one that is on its way has gone out. */
  #room(): Promise<void> {
    return new Promise((resolve) => {
      const oldest = this.#sentAt[0]
      const end = () => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve()
      }
      const timer =
        oldest === undefined
          ? undefined
          : setTimeout(end, Math.max(1, oldest + this.#windowMs - performance.now()))
      this.#wake = end
    })
  }
}

/**
 * Ten permits in exactly 1000 ms would arrive as eleven whenever the network squeezes them a little;
 * this is how much it may squeeze.
 */
const guardMs = 80

/** Clocks that are only disciplined drift by less than this between two requests. */
const turnedClockMs = 20

/** p-throttle, with an end: it would keep its timer when nobody waits any more. */
class Pace {
  readonly #end = new AbortController()
  readonly next: () => Promise<void>

  constructor(requestsPerSecond: number) {
    const interval = 1000 + guardMs
    const { signal } = this.#end
    this.next = pThrottle({ limit: requestsPerSecond, interval, strict: true, signal })(() =>
      Promise.resolve(),
    )
  }

  end(reason: unknown): void {
    this.#end.abort(reason)
  }
}
