import type { Failure } from './failure.js'

/** What is known of the attempts of one request. */
export interface Attempts {
  /** How many were permitted. */
  count: number
  /** How many of them were answered by a 429. */
  rateLimited: number
  /** Whether a 401 was answered by a fresh token. */
  reminted: boolean
  /** How long the gateway asked to wait, where that is why the call failed. */
  retryAfterMs: number | undefined
  /** What the last one came to. */
  lastFailure: Failure | undefined
  /** How long they waited for tokens and for permits, all together, in milliseconds. */
  waitedForTokenMs: number
  waitedForPermitMs: number
  /** When the last one was permitted, on the monotonic clock. */
  permittedAt: number
}

export function noAttempts(): Attempts {
  return {
    count: 0,
    rateLimited: 0,
    reminted: false,
    retryAfterMs: undefined,
    lastFailure: undefined,
    waitedForTokenMs: 0,
    waitedForPermitMs: 0,
    permittedAt: 0,
  }
}
