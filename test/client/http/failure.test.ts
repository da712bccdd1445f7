import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type Evidence,
  evidenceOf,
  type Failure,
  refuses,
  stronger,
} from '../../../src/client/http/failure.js'
import { answered, notSent, response, wasSent } from '../../support/failures.js'

describe('what a failed attempt says of whether its request was processed', () => {
  it.each<readonly [Evidence, string, Failure]>([
    ['none', '400', answered(400)],
    ['none', '401', answered(401)],
    ['none', '403', answered(403)],
    ['none', '404', answered(404)],
    ['none', '415', answered(415)],
    ['none', '422', answered(422)],
    ['none', '429, which is "not processed"', answered(429)],
    ['possible', '408', answered(408)],
    ['possible', '302', answered(302)],
    ['possible', '500', answered(500)],
    ['possible', '502', answered(502)],
    ['possible', '503', answered(503)],
    ['possible', 'a 2xx that is of no use', { kind: 'unusable', response: response(201), issues: [] }],
    [
      'certain',
      'a 2xx that is of no use, and shows the payment',
      { kind: 'unusable', response: response(201), issues: [], shows: 'asked' },
    ],
    [
      'possible',
      'a 2xx that shows another payment',
      { kind: 'unusable', response: response(201), issues: [], shows: 'other' },
    ],
    ['possible', 'a 2xx that is too large', { kind: 'too-large', response: response(200) }],
    ['possible', 'a 409 that is too large', { kind: 'too-large', response: response(409) }],
    ['none', 'a refusal that is too large', { kind: 'too-large', response: response(400) }],
    ['possible', 'a 5xx that is too large', { kind: 'too-large', response: response(500) }],
    ['none', 'no connection', { kind: 'connection', ...notSent, cause: 1 }],
    ['possible', 'a broken connection, in a body too', { kind: 'connection', ...wasSent, cause: 1 }],
    ['none', 'a timeout before it was sent', { kind: 'timeout', ...notSent }],
    ['possible', 'a timeout on the wire, in a body too (peer failure 2)', { kind: 'timeout', ...wasSent }],
    ['none', 'a deadline in the queue', { kind: 'deadline', ...notSent, while: 'x' }],
    ['possible', 'a deadline on the wire', { kind: 'deadline', ...wasSent, while: 'x' }],
    ['none', 'an abort before it was sent', { kind: 'aborted', ...notSent, cause: 1 }],
    ['possible', 'an abort after it was sent', { kind: 'aborted', ...wasSent, cause: 1 }],
    ['none', 'a full queue', { kind: 'queue-full' }],
    ['none', 'a pause', { kind: 'paused', retryAfterMs: 1 }],
    ['none', 'a closed client', { kind: 'closed' }],
    ['none', 'a permit that was too old', { kind: 'permit-expired' }],
    ['none', 'a limiter that failed', { kind: 'limiter', cause: 1 }],
    ['none', 'a signer that failed', { kind: 'signing', cause: 1 }],
    ['certain', 'an answer without a token', { kind: 'no-token', fields: [] }],
  ])('%s: %s', (evidence, _what, failure) => {
    expect(evidenceOf(failure)).toBe(evidence)
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

describe('the stronger evidence stands: a later refusal undoes nothing (peer failure 12)', () => {
  it.each<readonly [Evidence, Evidence, Evidence]>([
    ['none', 'none', 'none'],
    ['possible', 'none', 'possible'],
    ['none', 'possible', 'possible'],
    ['certain', 'possible', 'certain'],
    ['none', 'certain', 'certain'],
  ])('%s and %s make %s', (one, other, both) => {
    expect(stronger(one, other)).toBe(both)
  })
})
