import type { Shape } from '../../client/input/check.js'
import { aFunction, duration, fitting, textLike, wholeNumber } from '../../client/input/kinds.js'
import { byDefault, optional } from '../../client/input/zod.js'

/** Options of every shared rate limit. */
export interface SharedRateLimitOptions {
  /**
   * Whose limit it is: all that give the same name share it, whatever their merchants and gateways. Without it each
   * merchant has one at each gateway: all clients of the same merchant code and base address share one.
   */
  name?: string | undefined
  /** What the gateway allows in a second, for all processes together; 10 by default. A fraction is allowed, and less than 1. */
  requestsPerSecond?: number | undefined
  /**
   * How many processes share the limit, at most. While the store can't be reached, each goes on at this part of
   * it by itself. Without it, calls wait for the store, for up to 5 s, and then fail with a `ConnectionError`
   * ('not-accepted').
   */
  processes?: number | undefined
  /** How long one call of the store may take, in milliseconds; 500 by default. After that the store is away. */
  storeTimeoutMs?: number | undefined
  /** Called once when the store can't be reached, with the reason; by default a warning of the process is emitted. */
  onStoreAway?: ((reason: unknown) => void) | undefined
}

export const rateLimitShape = {
  name: optional(
    textLike('a text of 1 to 200 characters without braces, such as the merchant code', /^[^{}]{1,200}$/),
  ),
  requestsPerSecond: byDefault(
    fitting<number>(
      'a number of requests a second, from 0.001 to 10000',
      (value) => typeof value === 'number' && value >= 0.001 && value <= 10_000,
    ),
    10,
  ),
  processes: optional(wholeNumber(1)),
  storeTimeoutMs: byDefault(duration, 500),
  onStoreAway: optional(aFunction<(reason: unknown) => void>('that takes the reason')),
} satisfies Shape<SharedRateLimitOptions>
