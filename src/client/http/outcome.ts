import type { Outcome } from '../errors.js'
import type { AttemptFailure, AttemptOutcome, RetryReason } from '../observe/events.js'
import type { AttemptEnd } from '../observe/watched-call.js'
import type { Failure } from './failure.js'
import type { GatewayResponse } from './request.js'

export function outcomeOf(failure: Failure): Outcome {
  switch (failure.kind) {
    case 'unusable':
      // A 2xx that can't be tied to the payment may come from something in front of the gateway.
      return failure.shows === 'asked' ? 'accepted' : 'unknown'
    case 'response':
      return refuses(failure.response.status) ? 'not-accepted' : 'unknown'
    case 'too-large': {
      const { status } = failure.response
      // A 409 to a create is no refusal, and nobody has read what this one says.
      return refuses(status) && status !== 409 ? 'not-accepted' : 'unknown'
    }
    case 'connection':
    case 'timeout':
    case 'deadline':
    case 'aborted':
      // Also when a 2xx had begun to come: a response that nobody has read to its end proves nothing.
      return failure.sent ? 'unknown' : 'not-accepted'
    case 'queue-full':
    case 'paused':
    case 'permit-expired':
    case 'closed':
    case 'withheld':
    case 'unloadable':
    case 'limiter':
    case 'signing':
    case 'token':
      return 'not-accepted'
    case 'no-token':
      return 'accepted'
  }
}

/**
 * The statuses which say that the request was looked at and turned down (RFC 9110, section 15.5; RFC 6585; RFC 7725).
 * The specification names 404, 409 and 429 (section 7). All others may follow processing: some say who hung up (408,
 * 444, 460, 499), some that it may be tried again (423, 425), some that something behind failed (424), and 406 that the
 * response did not suit.
 */
const refusals: ReadonlySet<number> = new Set([
  400, 401, 402, 403, 404, 405, 407, 409, 410, 411, 412, 413, 414, 415, 417, 421, 422, 426, 428, 429, 431,
  451,
])

export function refuses(status: number): boolean {
  return refusals.has(status)
}

const weight: Record<Outcome, number> = { 'not-accepted': 0, unknown: 1, accepted: 2 }

/** What is known of a call after one more of its attempts. It only grows: what one attempt may have done, a later refusal doesn't undo. */
export function grown(known: Outcome, next: Outcome): Outcome {
  return weight[known] >= weight[next] ? known : next
}

export function attemptEnd(result: GatewayResponse<unknown> | Failure): AttemptEnd {
  if (!('kind' in result)) return { status: result.status, outcome: 'answered' }
  const status = 'response' in result ? result.response.status : undefined
  return { status, outcome: published(result, status), failure: attemptFailure(result) }
}

function published(failure: Failure, status: number | undefined): AttemptOutcome {
  if (status !== undefined && status >= 200 && status < 300) return 'unusable'
  if (outcomeOf(failure) === 'unknown') return 'unknown'
  return status === undefined ? 'unsent' : 'refused'
}

function attemptFailure(failure: Failure): AttemptFailure {
  switch (failure.kind) {
    case 'response':
      return `status_${failure.response.status}`
    case 'too-large':
      return 'too_large'
    case 'deadline':
      return 'timeout'
    case 'permit-expired':
      return 'permit_expired'
    case 'connection':
    case 'timeout':
    case 'aborted':
    case 'unusable':
    case 'signing':
      return failure.kind
    default:
      return 'closed'
  }
}

export function retryReason(failure: Failure): RetryReason {
  if (failure.kind !== 'response') return failure.kind === 'timeout' ? 'timeout' : 'connection'
  const { status } = failure.response
  if (status === 401) return 'token_refused'
  return status === 404 ? 'not_found' : `status_${status}`
}
