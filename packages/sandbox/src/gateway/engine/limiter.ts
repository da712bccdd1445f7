import { keysOf } from '../../common/json.js'

/**
 * How the gateway counts the requests of a second. Section 8 gives the number and not the way:
 *
 * - `sliding-window`: no 1000 ms, wherever they begin, hold more than the limit. The strictest that still
 *   takes the whole limit at once.
 * - `fixed-window`: every full second of the clock starts again at 0, so that twice the limit may pass around
 *   its end.
 * - `token-bucket`: the limit at once, and then one more whenever a share of the second has passed.
 * - `evenly-spaced`: one request in each share of the second (100 ms for 10 a second), and no two at once.
 *
 * A refused request counts in none of them.
 */
export type LimiterKind = 'sliding-window' | 'fixed-window' | 'token-bucket' | 'evenly-spaced'

export interface Limiter {
  /** 0 when the request may pass, otherwise the milliseconds until one could. Times never go back. */
  admit(nowMs: number): number
}

const WINDOW_MS = 1000
// Additions of 1000 / limit round: a wait shorter than this is a rounding error.
const ROUNDING_MS = 1e-6

/** Of the requests let through, never more than `limit` lie in any 1000 ms. */
function slidingWindow(limit: number): Limiter {
  const admitted = new Float64Array(limit).fill(Number.NEGATIVE_INFINITY)
  let oldest = 0
  return {
    admit(nowMs) {
      const free = (admitted[oldest] ?? Number.NEGATIVE_INFINITY) + WINDOW_MS
      if (nowMs < free) return free - nowMs
      admitted[oldest] = nowMs
      oldest = (oldest + 1) % limit
      return 0
    },
  }
}

/** Up to `limit` requests between two full seconds of the clock. */
function fixedWindow(limit: number): Limiter {
  let current = Number.NEGATIVE_INFINITY
  let admitted = 0
  return {
    admit(nowMs) {
      const start = Math.floor(nowMs / WINDOW_MS) * WINDOW_MS
      if (start > current) {
        current = start
        admitted = 0
      }
      if (admitted >= limit) return current + WINDOW_MS - nowMs
      admitted += 1
      return 0
    },
  }
}

/** A bucket of `limit` tokens, full at first, into which `limit` tokens a second drip. */
function tokenBucket(limit: number): Limiter {
  const dripMs = WINDOW_MS / limit
  // When the bucket will be full again, in place of its level: this rounds less.
  let fullAt = Number.NEGATIVE_INFINITY
  return {
    admit(nowMs) {
      const next = Math.max(fullAt, nowMs) + dripMs
      const wait = next - (nowMs + WINDOW_MS)
      if (wait > ROUNDING_MS) return wait
      fullAt = next
      return 0
    },
  }
}

function evenlySpaced(limit: number): Limiter {
  const gapMs = WINDOW_MS / limit
  let free = Number.NEGATIVE_INFINITY
  return {
    admit(nowMs) {
      if (free - nowMs > ROUNDING_MS) return free - nowMs
      free = nowMs + gapMs
      return 0
    },
  }
}

const makers: Readonly<Record<LimiterKind, (limit: number) => Limiter>> = {
  'sliding-window': slidingWindow,
  'fixed-window': fixedWindow,
  'token-bucket': tokenBucket,
  'evenly-spaced': evenlySpaced,
}

export const limiterKinds = keysOf(makers)

export function createLimiter(kind: LimiterKind, limit: number | false): Limiter {
  return limit === false ? { admit: () => 0 } : makers[kind](limit)
}
