import type { Counted, Limiter } from './limiter.js'
import { Spacing, windowMs } from './spacing.js'

/**
 * So many requests a second and no more, as a server counts that sees them arrive: the limiter of one process.
 *
 * The one place that counts. What counts is when a request went out, on the monotonic clock, and not when it was
 * permitted: one that still waits for its connection has not been counted by the gateway, and holds its place
 * until it is on the wire. (docs/decisions/0008 says what a count of permits, such as p-throttle's, let through.)
 */
export class WindowLimiter implements Limiter {
  readonly spacing: Spacing
  readonly #requests: number
  readonly #windowMs: number
  /** When the newest requests went out, oldest first; at most one window's worth. */
  readonly #sentAt: number[] = []
  #onTheWay = 0
  #permittedAt = Number.NEGATIVE_INFINITY
  /** Ends the wait for a place, so that it is looked at again. */
  #checkAgain: (() => void) | undefined

  /**
   * @param requestsPerSecond what the server allows in any second: a whole number, or less than 1.
   * @param counted how it counts; undefined to find out.
   */
  constructor(requestsPerSecond: number, counted: Counted | undefined) {
    this.#requests = Math.max(1, requestsPerSecond)
    this.#windowMs = windowMs * (this.#requests / requestsPerSecond)
    this.spacing = new Spacing(requestsPerSecond, counted)
  }

  acquire(signal: AbortSignal): Promise<void> | undefined {
    if (this.#nextInMs() > 0) return this.#acquireLater(signal)
    this.#onTheWay++
    this.#permittedAt = performance.now()
    return undefined
  }

  async #acquireLater(signal: AbortSignal): Promise<void> {
    const giveUp = () => this.#checkAgain?.()
    signal.addEventListener('abort', giveUp)
    try {
      for (let ms = this.#nextInMs(); ms > 0 && !signal.aborted; ms = this.#nextInMs()) await this.#wait(ms)
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
    signal.throwIfAborted()
    return this.acquire(signal)
  }

  sent(): void {
    this.#onTheWay--
    this.#sentAt.push(performance.now())
    if (this.#sentAt.length > this.#requests) this.#sentAt.shift()
    this.#checkAgain?.()
  }

  /** More may be sent than before: whoever waits need not wait as long. */
  checkAgain(): void {
    this.#checkAgain?.()
  }

  /**
   * How long until the next one when they come evenly, as the background does while nobody else waits: as many in the
   * end, and whoever comes between them waits for no more than one gap.
   */
  get evenlyInMs(): number {
    const sentAt = this.#sentAt.at(-1) ?? Number.NEGATIVE_INFINITY
    // One that has its permit is on the wire in a moment.
    const lastAt = this.#onTheWay > 0 ? Math.max(sentAt, this.#permittedAt) : sentAt
    return lastAt + this.#windowMs / this.#requests - performance.now()
  }

  #nextInMs(): number {
    const now = performance.now()
    const ms = Math.max(this.#roomInMs(), this.spacing.inMs(now))
    if (this.#onTheWay === 0 || this.spacing.gapMs === 0) return ms
    // When the gateway will see the one that is on its way, nobody knows; but it may never get there.
    return Math.max(ms, this.#permittedAt + Math.max(patienceMs, this.spacing.gapMs) - now)
  }

  /** Until the window has a place. */
  #roomInMs(): number {
    const now = performance.now()
    while (this.#sentAt[0] !== undefined && this.#sentAt[0] <= now - this.#windowMs) this.#sentAt.shift()
    const tooMany = this.#sentAt.length + this.#onTheWay + 1 - this.#requests
    if (tooMany <= 0) return 0
    const leaving = this.#sentAt[tooMany - 1]
    // Where all places are held by requests on their way, the first that goes out will say.
    return leaving === undefined ? this.#windowMs : leaving + this.#windowMs - now
  }

  /** Ends early when there is reason to check again. */
  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#checkAgain = undefined
        resolve()
      }
      const timer = setTimeout(end, Math.ceil(ms))
      this.#checkAgain = end
    })
  }
}

/** For so long, a request that waits for its connection holds back the next one where they are spaced. */
const patienceMs = 1000
