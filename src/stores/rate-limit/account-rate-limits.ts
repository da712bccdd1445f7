import type { Limiter, Permit, PermitRequest } from '../../index.js'
import { SharedRateLimit, type SharedRateLimitParts } from './shared-rate-limit.js'
import type { SharedText } from './store.js'

export interface AccountRateLimitsParts extends Omit<SharedRateLimitParts, 'store'> {
  /** Whose limit it is, where all that use it share one, whatever their accounts. */
  readonly name?: string | undefined
  readonly storeOf: (name: string) => SharedText
}

/** The name of the rate limit of callers that have neither a name nor an account. */
const nameless = 'default'

/** The shared rate limits of one store: one for each account, unless they have a name. */
export class AccountRateLimits implements Limiter {
  readonly #parts: AccountRateLimitsParts
  readonly #limits = new Map<string, SharedRateLimit>()

  constructor(parts: AccountRateLimitsParts) {
    this.#parts = parts
  }

  forAccount(account: string): Limiter {
    return this.#limit(account)
  }

  acquire(signal: AbortSignal, request: PermitRequest): Promise<Permit> {
    return this.#limit(nameless).acquire(signal, request)
  }

  sent(): void {
    this.#limit(nameless).sent()
  }

  pause(ms: number): void {
    this.#limit(nameless).pause(ms)
  }

  #limit(account: string): SharedRateLimit {
    const { name = account, storeOf, ...parts } = this.#parts
    const limit = this.#limits.get(name) ?? new SharedRateLimit({ ...parts, store: storeOf(name) })
    this.#limits.set(name, limit)
    return limit
  }
}
