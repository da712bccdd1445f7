import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Failure } from '../../../src/client/http/failure.js'
import { attemptEnd, grown, outcomeOf, refuses, retryReason } from '../../../src/client/http/outcome.js'
import type { Outcome } from '../../../src/index.js'
import { answered, notSent, response, wasSent } from '../../support/failures.js'

describe('what a failed attempt says of whether its request was processed', () => {
  it.each<readonly [Outcome, string, Failure]>([
    ['not-accepted', '400', answered(400)],
    ['not-accepted', '401', answered(401)],
    ['not-accepted', '403', answered(403)],
    ['not-accepted', '404', answered(404)],
    ['not-accepted', '415', answered(415)],
    ['not-accepted', '422', answered(422)],
    ['not-accepted', '429, which is "not processed"', answered(429)],
    ['unknown', '408', answered(408)],
    ['unknown', '302', answered(302)],
    ['unknown', '500', answered(500)],
    ['unknown', '502', answered(502)],
    ['unknown', '503', answered(503)],
    ['unknown', 'a 2xx that is of no use', { kind: 'unusable', response: response(201), issues: [] }],
    [
      'accepted',
      'a 2xx that is of no use, and shows the payment',
      { kind: 'unusable', response: response(201), issues: [], shows: 'asked' },
    ],
    [
      'unknown',
      'a 2xx that shows another payment',
      { kind: 'unusable', response: response(201), issues: [], shows: 'other' },
    ],
    ['unknown', 'a 2xx that is too large', { kind: 'too-large', response: response(200) }],
    ['unknown', 'a 409 that is too large', { kind: 'too-large', response: response(409) }],
    ['not-accepted', 'a refusal that is too large', { kind: 'too-large', response: response(400) }],
    ['unknown', 'a 5xx that is too large', { kind: 'too-large', response: response(500) }],
    ['not-accepted', 'no connection', { kind: 'connection', ...notSent, cause: 1 }],
    ['unknown', 'a broken connection, in a body too', { kind: 'connection', ...wasSent, cause: 1 }],
    ['not-accepted', 'a timeout before it was sent', { kind: 'timeout', ...notSent }],
    ['unknown', 'a timeout on the wire, in a body too (peer failure 2)', { kind: 'timeout', ...wasSent }],
    ['not-accepted', 'a deadline in the queue', { kind: 'deadline', ...notSent, while: 'x' }],
    ['unknown', 'a deadline on the wire', { kind: 'deadline', ...wasSent, while: 'x' }],
    ['not-accepted', 'an abort before it was sent', { kind: 'aborted', ...notSent, cause: 1 }],
    ['unknown', 'an abort after it was sent', { kind: 'aborted', ...wasSent, cause: 1 }],
    ['not-accepted', 'a full queue', { kind: 'queue-full' }],
    ['not-accepted', 'a pause', { kind: 'paused', retryAfterMs: 1 }],
    ['not-accepted', 'a closed client', { kind: 'closed' }],
    ['not-accepted', 'a permit that was too old', { kind: 'permit-expired' }],
    ['not-accepted', 'a limiter that failed', { kind: 'limiter', cause: 1 }],
    ['not-accepted', 'a signer that failed', { kind: 'signing', cause: 1 }],
    ['accepted', 'a response without a token', { kind: 'no-token', fields: [] }],
  ])('%s: %s', (outcome, _what, failure) => {
    expect(outcomeOf(failure)).toBe(outcome)
  })
})

describe('a status refuses only where it says that the request was looked at and turned down', () => {
  const refusing = [
    ...[400, 401, 402, 403, 404, 405, 407, 409, 410, 411, 412, 413, 414, 415, 417, 421, 422, 426, 428, 429],
    ...[431, 451],
  ]

  it('of all from 400 to 499', () => {
    const all = Array.from({ length: 100 }, (_, n) => 400 + n)
    expect(all.filter(refuses)).toEqual(refusing)
  })

  it('none below and above', () => {
    expect([0, 200, 302, 399, 500, 501, 503, 505, 511, 599, 999].filter(refuses)).toEqual([])
  })

  it.each(givenStatuses())('%i is %s: %s', (status, outcome) => {
    expect(refuses(status) ? 'not-accepted' : 'unknown').toBe(outcome)
  })
})

function givenStatuses(): readonly [status: number, outcome: string, why: string][] {
  const rows = readFileSync(new URL('statuses.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return rows
    .map((row) => row.split('\t'))
    .filter(([status = '']) => /^\d{3}$/.test(status))
    .map(([status, outcome = '', why = '']) => [Number(status), outcome, why])
}

describe('the stronger outcome stands: a later refusal undoes nothing (peer failure 12)', () => {
  it.each<readonly [Outcome, Outcome, Outcome]>([
    ['not-accepted', 'not-accepted', 'not-accepted'],
    ['unknown', 'not-accepted', 'unknown'],
    ['not-accepted', 'unknown', 'unknown'],
    ['accepted', 'unknown', 'accepted'],
    ['not-accepted', 'accepted', 'accepted'],
  ])('%s and %s make %s', (one, other, both) => {
    expect(grown(one, other)).toBe(both)
  })
})

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
  [{ kind: 'too-large', response: response(400) }, 'refused 400 too_large'],
  [{ kind: 'too-large', response: response(500) }, 'unknown 500 too_large'],
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
