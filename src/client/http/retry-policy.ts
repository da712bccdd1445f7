import type { Failure } from './failure.js'
import { retryAfterMs } from './limit/retry-after.js'
import { outcomeOf, refuses } from './outcome.js'

export interface RetrySituation {
  /** Attempts made so far, this one included, but for those that a 429 or a refused token ended. */
  readonly attempt: number
  readonly retries: number
  readonly remainingMs: number
  readonly canRemint: boolean
  readonly tokenAfterMs?: number | undefined
  readonly tokenRanOut?: boolean
  readonly retryNotFound: boolean
  readonly repeatable: boolean
  readonly pausedMs: number
  readonly nowMs: number
  readonly random: number
}

export type RetryVerdict =
  | { readonly action: 'retry'; readonly delayMs: number }
  | { readonly action: 'remint' }
  /** The same token again. It is none of the caller's retries. */
  | { readonly action: 'wait'; readonly delayMs: number }
  | { readonly action: 'fail'; readonly retryAfterMs?: number }

/** Creates are safe to repeat by their id and token requests by their nature (sections 4.2 and 7), so one rule serves all. */
export function decideRetry(failure: Failure, situation: RetrySituation): RetryVerdict {
  const { attempt, retries, remainingMs, tokenAfterMs } = situation
  const allowed = situation.repeatable || outcomeOf(failure) === 'not-accepted'
  // Not every status that may be about the token says that the request was turned down: 419, 440 and 498 do not.
  if (failure.kind === 'response' && allowed) {
    if (situation.canRemint) return { action: 'remint' }
    if (tokenAfterMs !== undefined && tokenAfterMs < remainingMs) {
      return { action: 'wait', delayMs: tokenAfterMs }
    }
  }
  const askedMs =
    failure.kind === 'response'
      ? retryAfterMs(failure.response.headers.get('retry-after'), situation.nowMs)
      : undefined
  const carried = askedMs === undefined ? {} : { retryAfterMs: askedMs }
  if (isRateLimited(failure)) {
    // "Not processed" (section 7): it costs none of the retries, and the queue holds everybody back by itself.
    return situation.pausedMs >= remainingMs
      ? { action: 'fail', ...carried }
      : { action: 'retry', delayMs: 0 }
  }
  const delayMs = Math.max(askedMs ?? 0, backoffMs(attempt, situation.random))
  if (!allowed || !isTransient(failure, situation) || attempt > retries || delayMs >= remainingMs) {
    return { action: 'fail', ...carried }
  }
  return { action: 'retry', delayMs }
}

export function isRateLimited(failure: Failure | undefined): boolean {
  return failure?.kind === 'response' && failure.response.status === 429
}

function isTransient(failure: Failure, { retryNotFound, tokenRanOut = false }: RetrySituation): boolean {
  if (failure.kind === 'connection' || failure.kind === 'timeout') return true
  if (failure.kind !== 'response') return false
  const { status } = failure.response
  return (status >= 400 && !refuses(status)) || (status === 404 && retryNotFound) || tokenRanOut
}

const firstDelayMs = 250
const longestDelayMs = 8_000

/** Exponential, with jitter over the upper half: 125 to 250 ms first, 4 to 8 s from the sixth on. */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1))
  return ceiling / 2 + (ceiling / 2) * random
}

/** Positive: this machine's clock is ahead. Two seconds are explained by the way here, and by the full seconds of `Date`. */
export function clockAheadMs(
  dateHeader: string | undefined,
  nowMs: number,
  leastMs = 2_000,
): number | undefined {
  const theirs = dateHeader === undefined ? Number.NaN : Date.parse(dateHeader)
  const ahead = nowMs - theirs
  return Math.abs(ahead) > leastMs ? ahead : undefined
}
