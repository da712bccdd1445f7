import type { Counted } from './limiter.js'
import {
  countedOf,
  firstPace,
  isNews,
  type Pace,
  paceAfterAnswer,
  paceAfterRefusal,
  paceAt,
  pauseMs,
} from './pace.js'

/** Ten in exactly 1000 ms would arrive as eleven whenever the network squeezes them; by this much it may. */
const guardMs = 80
/** In which so many requests as the gateway allows in a second are sent. */
export const windowMs = 1000 + guardMs

/** A pair shows nothing of even spacing unless it was clearly closer than that. */
const closeness = 0.75
/** A probe that had no answer by then is made anew. */
const probeMs = 1000

/** What a request was when it went out. */
export interface Sent {
  readonly at: number
  /** Whether its answer shows if two requests may come at once. */
  readonly isProbe: boolean
}

/** How far apart requests are sent, as the gateway's answers have it. What to make of them, `pace.ts` says. */
export class Spacing {
  readonly #gapMs: number
  #pace: Pace
  #lastAt = Number.NEGATIVE_INFINITY
  #probedAt = Number.NEGATIVE_INFINITY
  /** Called when more may be sent than before. */
  onWider: (() => void) | undefined

  /**
   * @param requestsPerSecond what the gateway allows; where it is unknown, there is nothing to space.
   * @param counted what the caller knows; undefined to find out.
   */
  constructor(requestsPerSecond = 10, counted?: Counted) {
    this.#gapMs = windowMs / requestsPerSecond
    // Of one in a second there is nothing to find out.
    this.#pace = firstPace(requestsPerSecond <= 1 ? 'evenly-spaced' : counted)
  }

  get counted(): Counted {
    return countedOf(this.#pace)
  }

  /** Between two requests as they are sent now, in milliseconds; 0 when a whole window may go at once. */
  get gapMs(): number {
    return this.#pace.way === 'in-windows' ? 0 : this.#gapMs * this.#pace.slowdown
  }

  /** How long until the next request may be sent. */
  inMs(now: number): number {
    this.#pace = paceAt(this.#pace, now)
    if (this.#pace.way === 'in-windows' || this.#mayProbe(now)) return 0
    return Math.max(0, this.#lastAt + this.gapMs - now)
  }

  /** A request goes out. */
  sent(now: number): Sent {
    const isProbe = this.#mayProbe(now)
    if (isProbe) this.#probedAt = now
    this.#lastAt = now
    return { at: now, isProbe }
  }

  /** A request was answered, and not by a 429. */
  answered({ isProbe }: Sent, now: number): void {
    const { way } = this.#pace
    this.#pace = paceAfterAnswer(this.#pace, isProbe, now)
    if (this.#pace.way !== way) this.onWider?.()
  }

  /** A request was answered by a 429. @returns for how long nobody sends. */
  refused({ at }: Sent, askedMs: number | undefined, now: number): number {
    const before = this.#pace
    const pause = pauseMs(before, { askedMs, gapMs: this.#gapMs, random: Math.random() })
    if (!isNews(before, at)) return askedMs === undefined ? 0 : pause
    this.#pace = paceAfterRefusal(before, now)
    return pause
  }

  #mayProbe(now: number): boolean {
    return (
      this.#pace.way === 'trying' &&
      now - this.#lastAt < this.#gapMs * closeness &&
      now - this.#probedAt >= probeMs
    )
  }
}
