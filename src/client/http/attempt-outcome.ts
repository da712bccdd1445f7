import type { AttemptFailure, AttemptOutcome, RetryReason } from '../observe/events.js'
import type { AttemptEnd } from '../observe/watched-attempt.js'
import { evidenceOf, type Failure } from './failure.js'

/** What became of an attempt that failed, for whoever watches. */
export function attemptEnd(failure: Failure): AttemptEnd {
  const status =
    'response' in failure && Object.hasOwn(failure, 'response') ? failure.response.status : undefined
  return { status, outcome: attemptOutcome(failure), failure: attemptFailure(failure) }
}

function attemptOutcome(failure: Failure): AttemptOutcome {
  const evidence = evidenceOf(failure)
  if (failure.kind === 'unusable') return 'unusable'
  if (failure.kind === 'too-large' && failure.response.status < 300) return 'unusable'
  if (evidence === 'possible') return 'unknown'
  return failure.kind === 'response' ? 'refused' : 'unsent'
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

/** Why the attempt after this failure is made. */
export function retryReason(failure: Failure): RetryReason {
  if (failure.kind !== 'response') return failure.kind === 'timeout' ? 'timeout' : 'connection'
  const { status } = failure.response
  if (status === 401) return 'token_refused'
  return status === 404 ? 'not_found' : `status_${status}`
}
