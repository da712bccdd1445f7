import { aFunction, byDefault, duration, is, wholeNumber } from '../../client/input/reader.js'

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

export const rateLimitRows = {
  name: is<string>(
    'a text of 1 to 200 characters without braces, such as the merchant code',
    (value) => typeof value === 'string' && /^[^{}]{1,200}$/.test(value),
  ),
  requestsPerSecond: byDefault(
    is<number>(
      'a number of requests a second, from 0.001 to 10000',
      (value) => typeof value === 'number' && value >= 0.001 && value <= 10_000,
    ),
    10,
  ),
  processes: wholeNumber(1),
  storeTimeoutMs: byDefault(duration, 500),
  onStoreAway: aFunction<(reason: unknown) => void>('that takes the reason'),
}
