import type { Shape } from '../../client/input/check.js'
import { aFunction, duration, fitting, textLike, wholeNumber } from '../../client/input/kinds.js'
import { byDefault, optional } from '../../client/input/zod.js'

/** Options of every shared rate limit. */
export interface SharedRateLimitOptions {
  /** All that give the same name share one limit. Default: one for each merchant code at each base address. */
  name?: string | undefined
  /** What the gateway allows all processes together in a second, from 0.001 on. Default 10. */
  requestsPerSecond?: number | undefined
  /**
   * How many processes share the limit at most. While the store can't be reached, each goes on at this part of the
   * limit. Without it, calls wait for the store for up to 5 s, and fail with a `ConnectionError` ('not-accepted').
   */
  processes?: number | undefined
  /** How long one call of the store may take, in milliseconds. After that the store is away. Default 500. */
  storeTimeoutMs?: number | undefined
  /** Called once when the store can't be reached. Default: a warning of the process. */
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
