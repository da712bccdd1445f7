import { describe, expect, it } from 'vitest'
import { attemptEnd, retryReason } from '../../../src/client/http/attempt-outcome.js'
import type { Failure } from '../../../src/client/http/failure.js'
import { answered, notSent, response, wasSent } from '../../support/failures.js'

const ends: readonly (readonly [Failure, string])[] = [
  [answered(400), 'refused 400 status_400'],
  [answered(401), 'refused 401 status_401'],
  [answered(404), 'refused 404 status_404'],
  [answered(409), 'refused 409 status_409'],
  [answered(429), 'refused 429 status_429'],
  [answered(302), 'unknown 302 status_302'],
  [answered(408), 'unknown 408 status_408'],
  [answered(500), 'unknown 500 status_500'],
  [answered(503), 'unknown 503 status_503'],
  [{ kind: 'unusable', response: response(200), issues: [] }, 'unusable 200 unusable'],
  [{ kind: 'too-large', response: response(200) }, 'unusable 200 too_large'],
  [{ kind: 'connection', ...wasSent, cause: undefined }, 'unknown undefined connection'],
  [{ kind: 'connection', ...notSent, cause: undefined }, 'unsent undefined connection'],
  [{ kind: 'timeout', ...wasSent }, 'unknown undefined timeout'],
  [{ kind: 'timeout', ...notSent }, 'unsent undefined timeout'],
  [{ kind: 'deadline', ...wasSent, while: 'x' }, 'unknown undefined timeout'],
  [{ kind: 'aborted', ...wasSent, cause: undefined }, 'unknown undefined aborted'],
  [{ kind: 'aborted', ...notSent, cause: undefined }, 'unsent undefined aborted'],
  [{ kind: 'signing', cause: undefined }, 'unsent undefined signing'],
  [{ kind: 'closed' }, 'unsent undefined closed'],
  [{ kind: 'permit-expired' }, 'unsent undefined permit_expired'],
  [{ kind: 'withheld', why: 'x', advice: 'y', option: 'live' }, 'unsent undefined closed'],
]

describe('what became of an attempt', () => {
  it.each(ends)('%j', (failure, expected) => {
    const { outcome, status, failure: label } = attemptEnd(failure)
    expect(`${outcome} ${status} ${label}`).toBe(expected)
  })
})

describe('why the attempt after it is made', () => {
  it.each([
    [answered(401), 'token_refused'],
    [answered(404), 'not_found'],
    [answered(408), 'status_408'],
    [answered(429), 'status_429'],
    [answered(503), 'status_503'],
    [{ kind: 'timeout', ...wasSent }, 'timeout'],
    [{ kind: 'connection', ...wasSent, cause: undefined }, 'connection'],
  ] satisfies [Failure, string][])('%j', (failure, reason) => {
    expect(retryReason(failure)).toBe(reason)
  })
})
