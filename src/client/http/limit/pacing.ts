import type { Counted } from './limiter.js'
import { longestPauseMs } from './retry-after.js'

/** What the client knows of how the gateway counts, from its responses. Times are monotonic, in milliseconds. */
export interface Pace {
  /** `trying`: spaced evenly, but for one pair of requests close together, whose response shows whether two at once are refused. */
  readonly way: 'trying' | Counted
  readonly learns: boolean
  /** 1, and more after 429s: by this the gaps and pauses are multiplied. */
  readonly slowdown: number
  readonly since: number
  /** How long requests are spaced evenly after the last 429, before windows are tried again; 0 when never yet. */
  readonly evenForMs: number
  readonly refusedAt: number
}

const firstEvenMs = 5 * 60_000
const longestEvenMs = 60 * 60_000

/** Multiplicative increase and decrease (MIMD): with these two the client comes to rest where one request in nine is refused. */
const growth = 1.5
const recovery = 0.95
const mostSlowdown = 32

/** The specification's "per second" is what a 429 without a hint costs (section 8). */
const secondMs = 1000
/** What a 429 without a hint costs at most, but for the jitter: the longest pause of a backoff. */
const mostSeconds = 8
/** A pause of nothing would be none, and the next request would be refused as the last one was. */
const leastPauseMs = 25

export function firstPace(counted: Counted | undefined): Pace {
  return {
    way: counted ?? 'trying',
    learns: counted === undefined,
    slowdown: 1,
    since: Number.NEGATIVE_INFINITY,
    evenForMs: 0,
    refusedAt: Number.NEGATIVE_INFINITY,
  }
}

/** What the client counts on: a way that is tried and was never refused is taken for granted. */
export function countedOf({ way, evenForMs }: Pace): Counted {
  if (way !== 'trying') return way
  return evenForMs === 0 ? 'in-windows' : 'evenly-spaced'
}

/** Whether a 429 to a request that went out then counts: those that were sent together are refused together. */
export function isNewRefusal({ refusedAt }: Pace, sentAt: number): boolean {
  return sentAt > refusedAt
}

export function paceAfterRefusal(pace: Pace, now: number): Pace {
  const { way, learns, since, evenForMs } = pace
  if (!learns || way === 'evenly-spaced') {
    return { ...pace, refusedAt: now, slowdown: Math.min(mostSlowdown, pace.slowdown * growth) }
  }
  // Windows that were refused again soon after they were tried are tried less and less often.
  const isRepeated = evenForMs > 0 && (way === 'trying' || now - since < evenForMs)
  return {
    ...pace,
    way: 'evenly-spaced',
    since: now,
    refusedAt: now,
    evenForMs: isRepeated ? Math.min(longestEvenMs, evenForMs * 2) : firstEvenMs,
  }
}

export function paceAfterResponse(pace: Pace, wasProbe: boolean, now: number): Pace {
  const slowdown = Math.max(1, pace.slowdown * recovery)
  if (pace.way === 'trying' && wasProbe) return { ...pace, way: 'in-windows', since: now, slowdown }
  return slowdown === pace.slowdown ? pace : { ...pace, slowdown }
}

export function paceAt(pace: Pace, now: number): Pace {
  const { way, learns, refusedAt, evenForMs } = pace
  if (way !== 'evenly-spaced' || !learns || now < refusedAt + evenForMs) return pace
  return { ...pace, way: 'trying', since: now, slowdown: 1 }
}

export interface Refusal {
  readonly askedMs: number | undefined
  readonly gapMs: number
  /** From 0 to 1, so that processes that were refused together don't come back together. */
  readonly random: number
}

export function pauseMs({ way, slowdown }: Pace, { askedMs, gapMs, random }: Refusal): number {
  const isEven = way === 'evenly-spaced'
  const [unit, jitter] = isEven ? [gapMs, 1] : [secondMs, 0.25]
  const times = isEven ? slowdown : Math.min(slowdown, mostSeconds)
  // What was asked for is never shortened, and to the millisecond unless 429s follow each other.
  const ms =
    askedMs === undefined
      ? unit * times * (1 + random * jitter)
      : askedMs + unit * (times - 1) * (0.5 + random)
  return Math.min(longestPauseMs, Math.max(leastPauseMs, ms))
}
