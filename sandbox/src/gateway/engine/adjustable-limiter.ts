import { createLimiter, type Limiter, type LimiterKind, limiterKinds } from './limiter.js'

/** The limiter of a sandbox as it is now. */
export interface LimiterState {
  readonly kind: LimiterKind
  /** Requests in any 1000 ms; `false` for no limit. */
  readonly limit: number | false
}

/**
 * A limiter that can be exchanged while requests arrive. The new one has counted nothing: right after the change
 * as many requests pass as it takes at once, whatever passed before.
 */
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

  free(nowMs: number): number {
    return this.#limiter.free(nowMs)
  }

  /** @throws Error that names what is wrong */
  change({ kind = this.#state.kind, limit = this.#state.limit }: Partial<LimiterState>): void {
    if (!limiterKinds.includes(kind)) throw new Error(`limiter must be one of ${limiterKinds.join(', ')}.`)
    if (limit !== false && !(Number.isSafeInteger(limit) && limit >= 1 && limit <= MOST)) {
      throw new Error(`rateLimit must be a whole number of requests a second, from 1 to ${MOST}, or false.`)
    }
    this.#state = { kind, limit }
    this.#limiter = createLimiter(kind, limit)
    this.#onChange()
  }
}

/** A window keeps a place for each request that it lets through. */
const MOST = 100_000
