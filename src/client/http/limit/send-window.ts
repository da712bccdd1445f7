import type { CountedRate } from './limiter.js'
import {
  firstPace,
  isNewRefusal,
  type Pace,
  paceAfterRefusal,
  paceAfterResponse,
  paceAt,
  pauseMs,
} from './pacing.js'

/** Ten in exactly 1000 ms would arrive as eleven whenever the network squeezes them; by this much it may. */
const guardMs = 80
const secondMs = 1000 + guardMs
/** A pair shows nothing of even spacing unless it was clearly closer than that. */
const closeness = 0.75
const probeMs = 1000
/** Where requests are spaced, one that waits for its connection holds back the next one for so long. */
const patienceMs = 1000
/** How long the first request after a 429 goes alone while it has no response. */
const mostAloneMs = 1000

export interface Sent {
  readonly at: number
  readonly isProbe: boolean
}

/**
 * When the next request may go out, by what this process has sent and by how the gateway responded:
 *
 * - **Sliding window log.** So many requests in any window. They count when they go out and not when they are
 *   permitted: one that waits for its connection has not been counted by the gateway, and holds its place until then.
 * - **Pacing.** With a gap after each, where the gateway refuses two at once.
 * - **A pause** after a 429, and then one request alone until it has a response.
 *
 * It has no timer: whoever has requests asks how long they have to wait. All times are of the monotonic clock, in
 * milliseconds. docs/decisions/0008 says why it counts by itself.
 */
export class SendWindow {
  readonly #requests: number
  readonly #windowMs: number
  readonly #gapMs: number
  readonly isLimited: boolean
  /** What is known now of how the gateway counts; never changed, but replaced. */
  pace: Pace
  readonly #sentAt: number[] = []
  #lastAt = Number.NEGATIVE_INFINITY
  #probedAt = Number.NEGATIVE_INFINITY
  #onTheWay = 0
  #permittedAt = Number.NEGATIVE_INFINITY
  pausedAt = Number.NEGATIVE_INFINITY
  #pausedUntil = 0
  /** There from a 429 until the first request after its pause has a response; when that was permitted, if it was. */
  #alone: { permittedAt?: number } | undefined

  /** @param rate a whole number of requests, or less than 1; undefined where somebody else counts. */
  constructor(rate: CountedRate | undefined) {
    const perSecond = rate?.requestsPerSecond ?? Number.POSITIVE_INFINITY
    this.isLimited = rate !== undefined
    this.#requests = Math.max(1, perSecond)
    this.#gapMs = secondMs / perSecond
    this.#windowMs = Math.max(secondMs, this.#gapMs)
    // Of one in a second there is nothing to find out.
    const counted = perSecond <= 1 ? 'evenly-spaced' : rate === undefined ? 'in-windows' : rate.counted
    this.pace = firstPace(counted)
  }

  /** How long until the next permit, in milliseconds; 0 or less: it may be given now. */
  inMs(now: number): number {
    const ms = Math.max(this.#pausedUntil - now, this.#placeInMs(now))
    const isAtRest = this.pace.way === 'in-windows' && this.#alone === undefined
    return isAtRest ? ms : Math.max(ms, this.#aloneMs(now), this.#pacedInMs(now))
  }

  /** For what nobody waits for: evenly spaced, so that a customer's request waits for one gap at most. */
  backgroundInMs(now: number): number {
    if (!this.isLimited) return this.inMs(now)
    // One that has its permit is on the wire in a moment.
    const lastAt = this.#onTheWay > 0 ? Math.max(this.#lastAt, this.#permittedAt) : this.#lastAt
    return Math.max(this.inMs(now), lastAt + this.#gapMs - now)
  }

  permit(now: number): void {
    this.#onTheWay++
    this.#permittedAt = now
    if (this.#alone !== undefined) this.#alone.permittedAt = now
  }

  sent(now: number): Sent {
    const isProbe = this.pace.way === 'trying' && this.#mayProbe(now)
    if (isProbe) this.#probedAt = now
    this.#lastAt = now
    this.#onTheWay--
    if (this.isLimited) this.#sentAt.push(now)
    if (this.#sentAt.length > this.#requests) this.#sentAt.shift()
    return { at: now, isProbe }
  }

  answered({ at, isProbe }: Sent, now: number): void {
    const { way, slowdown } = this.pace
    // At rest there is nothing to learn.
    if (way !== 'in-windows' || slowdown > 1) this.pace = paceAfterResponse(this.pace, isProbe, now)
    const aloneAt = this.#alone?.permittedAt
    if (aloneAt !== undefined && at >= aloneAt) this.#alone = undefined
  }

  refused({ at }: Sent, askedMs: number | undefined, now: number): number {
    this.#alone = {}
    const pause = pauseMs(this.pace, { askedMs, gapMs: this.#gapMs, random: Math.random() })
    if (!isNewRefusal(this.pace, at)) return askedMs === undefined ? 0 : pause
    this.pace = paceAfterRefusal(this.pace, now)
    return pause
  }

  pause(ms: number, now: number): boolean {
    if (now + ms <= this.#pausedUntil) return false
    this.#pausedUntil = now + ms
    this.pausedAt = now
    return true
  }

  pausedMs(now: number): number {
    return Math.max(0, this.#pausedUntil - now)
  }

  #aloneMs(now: number): number {
    const permittedAt = this.#alone?.permittedAt
    return permittedAt === undefined ? 0 : permittedAt + mostAloneMs - now
  }

  #placeInMs(now: number): number {
    while (this.#sentAt[0] !== undefined && this.#sentAt[0] <= now - this.#windowMs) this.#sentAt.shift()
    const tooMany = this.#sentAt.length + this.#onTheWay + 1 - this.#requests
    if (tooMany <= 0) return 0
    const leaving = this.#sentAt[tooMany - 1]
    // Where requests on their way hold all places, the first that goes out will say.
    return leaving === undefined ? this.#windowMs : leaving + this.#windowMs - now
  }

  #pacedInMs(now: number): number {
    this.pace = paceAt(this.pace, now)
    if (this.pace.way === 'in-windows') return 0
    const gapMs = this.#gapMs * this.pace.slowdown
    const isProbe = this.pace.way === 'trying' && this.#mayProbe(now)
    const ms = isProbe ? 0 : this.#lastAt + gapMs - now
    if (this.#onTheWay === 0) return ms
    // When the gateway will see the one that is on its way, nobody knows; but it may never get there.
    return Math.max(ms, this.#permittedAt + Math.max(patienceMs, gapMs) - now)
  }

  #mayProbe(now: number): boolean {
    return now - this.#lastAt < this.#gapMs * closeness && now - this.#probedAt >= probeMs
  }
}
