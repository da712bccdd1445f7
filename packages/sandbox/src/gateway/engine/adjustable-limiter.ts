import * as z from 'zod/mini'
import { check, dotted, exactly, oneOf } from '../input/check.js'
import { createLimiter, type Limiter, type LimiterKind, limiterKinds } from './limiter.js'

export interface LimiterState {
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
