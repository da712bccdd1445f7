import pThrottle from 'p-throttle'
import type { Limiter } from './limiter.js'
import { type Spacing, windowMs } from './spacing.js'

/**
 * So many requests a second and no more, as a server counts that sees them arrive: the limiter of one process.
 *
 * p-throttle paces the permits: whatever is learned of the gateway's ways, they never come faster than
 * the rate. What went out is counted here, since a permitted request that still waits for its connection
 * has not been counted by the gateway, and holds its place until it is on the wire.
 */
export class ThrottleLimiter implements Limiter {
  readonly #requests: number
  readonly #spacing: Spacing
  #pace: Pace
  #clockOffset = Date.now() - performance.now()
  /** When the newest requests went out, oldest first; at most one window's worth. */
  readonly #sentAt: number[] = []
  #onTheWay = 0
  #permittedAt = Number.NEGATIVE_INFINITY
  #wake: (() => void) | undefined

  /** @param requestsPerSecond what the server allows in any second. */
  constructor(requestsPerSecond: number, spacing: Spacing) {
    this.#requests = requestsPerSecond
    this.#spacing = spacing
    this.#pace = new Pace(requestsPerSecond)
    spacing.onWider = () => this.#wake?.()
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
      for (let ms = this.#inMs(); ms > 0 && !signal.aborted; ms = this.#inMs()) await this.#wait(ms)
      this.#onTheWay++
      this.#permittedAt = performance.now()
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

  /**
   * How long until the next one when they come evenly: as many in the end, and whoever comes between them
   * waits for no more than one gap.
   */
  evenlyInMs(): number {
    return (this.#sentAt.at(-1) ?? Number.NEGATIVE_INFINITY) + windowMs / this.#requests - performance.now()
  }

  /** The same for what nobody waits for in person, which also leaves a fifth of the window free. */
  sparinglyInMs(): number {
    return Math.max(this.evenlyInMs(), this.#roomInMs(Math.floor(this.#requests / 5)))
  }

  #noticeTurnedClock(): void {
    const offset = Date.now() - performance.now()
    // Set back by an hour, p-throttle would wait an hour; set forward, it would forget what it let pass.
    if (Math.abs(offset - this.#clockOffset) > turnedClockMs) this.#pace = new Pace(this.#requests)
    this.#clockOffset = offset
  }

  #inMs(): number {
    return Math.max(this.#roomInMs(0), this.#spacingInMs())
  }

  /** Until the window has a place, beside those that have to stay free. */
  #roomInMs(spare: number): number {
    const now = performance.now()
    while (this.#sentAt[0] !== undefined && this.#sentAt[0] <= now - windowMs) this.#sentAt.shift()
    const tooMany = this.#sentAt.length + this.#onTheWay + spare + 1 - this.#requests
    if (tooMany <= 0) return 0
    const leaving = this.#sentAt[tooMany - 1]
    // Where all places are held by requests on their way, the first that goes out will say.
    return leaving === undefined ? windowMs : leaving + windowMs - now
  }

  #spacingInMs(): number {
    const now = performance.now()
    const ms = this.#spacing.inMs(now)
    if (this.#spacing.gapMs === 0 || this.#onTheWay === 0) return ms
    // When the gateway will see the one that is on its way, nobody knows; but it may never get there.
    return Math.max(ms, this.#permittedAt + Math.max(patienceMs, this.#spacing.gapMs) - now)
  }

  /** Ends early when there is reason to look again. */
  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve()
      }
      const timer = setTimeout(end, Math.ceil(ms))
      this.#wake = end
    })
  }
}

/** For so long, a request that waits for its connection holds back the next one where they are spaced. */
const patienceMs = 1000

/** Clocks that are only disciplined drift by less than this between two requests. */
const turnedClockMs = 20

/** p-throttle, with an end: it would keep its timer when nobody waits any more. */
class Pace {
  readonly #end = new AbortController()
  readonly next: () => Promise<void>

  constructor(limit: number) {
    const { signal } = this.#end
    this.next = pThrottle({ limit, interval: windowMs, strict: true, signal })(() => Promise.resolve())
  }

  end(reason: unknown): void {
    this.#end.abort(reason)
  }
}
