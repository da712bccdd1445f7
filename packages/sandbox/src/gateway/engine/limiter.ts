import * as z from 'zod/mini'
import { keysOf } from '../../common/json.js'
import { check, dotted, exactly, oneOf } from '../input/check.js'

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

/** A bucket of `size` tokens, full at first, into which `limit` tokens a second drip. */
function tokenBucket(limit: number, size = limit): Limiter {
  const dripMs = WINDOW_MS / limit
  // When the bucket will be full again, in place of its level: this rounds less.
  let fullAt = Number.NEGATIVE_INFINITY
  return {
    admit(nowMs) {
      const next = Math.max(fullAt, nowMs) + dripMs
      const wait = next - (nowMs + dripMs * size)
      if (wait > ROUNDING_MS) return wait
      fullAt = next
      return 0
    },
  }
}

const makers: Readonly<Record<LimiterKind, (limit: number) => Limiter>> = {
  'sliding-window': slidingWindow,
  'fixed-window': fixedWindow,
  'token-bucket': (limit) => tokenBucket(limit),
  'evenly-spaced': (limit) => tokenBucket(limit, 1),
}

export const limiterKinds = keysOf(makers)

export function createLimiter(kind: LimiterKind, limit: number | false): Limiter {
  return limit === false ? { admit: () => 0 } : makers[kind](limit)
}

interface LimiterState {
  readonly kind: LimiterKind
  /** Requests in any 1000 ms; `false` for no limit. */
  readonly limit: number | false
}

/** A window keeps a place for each request that it lets through. */
const MOST = 100_000

/** The two options of a limiter, as `createSandbox` and `changeLimiter` take them. */
export const limiterOptions = {
  limiter: oneOf(limiterKinds, `one of ${limiterKinds.join(', ')}`),
  rateLimit: z.custom<number | false>(
    (value) =>
      value === false || (Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MOST),
    `must be a whole number of requests a second, from 1 to ${MOST}, or false`,
  ),
}
const limiterSettings = exactly(limiterOptions)

/** A limiter that can be exchanged while requests arrive. The new one has counted nothing. */
export class AdjustableLimiter implements Limiter {
  readonly #onChange: () => void
  #state: LimiterState
  #limiter: Limiter

  constructor(state: LimiterState, onChange: () => void) {
    this.#onChange = onChange
    this.#state = state
    this.#limiter = createLimiter(state.kind, state.limit)
  }

  get state(): LimiterState {
    return this.#state
  }

  admit(nowMs: number): number {
    return this.#limiter.admit(nowMs)
  }

  /** @throws naming what is wrong (`Error`). */
  change({ kind = this.#state.kind, limit = this.#state.limit }: Partial<LimiterState>): void {
    check(limiterSettings, { limiter: kind, rateLimit: limit }, dotted)
    this.#state = { kind, limit }
    this.#limiter = createLimiter(kind, limit)
    this.#onChange()
  }
}
