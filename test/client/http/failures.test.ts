import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { meaningOf } from '../../../src/client/http/meaning.js'
import { attemptEnd, grown, outcomeOf, refuses, retryReason } from '../../../src/client/http/outcome.js'
import { decideRetry } from '../../../src/client/http/retry-policy.js'
import type { Outcome } from '../../../src/index.js'
import { failureOf, rowsOf } from '../../support/failures.js'

/** A failure: what it proves, what events say of it, what is done after it, and of a request that must not be repeated. */
const table = `
  no connection             | not-accepted | unsent - connection     | retry 250 | retry
  broken connection         | unknown      | unknown - connection    | retry 250 | fail
  no time before            | not-accepted | unsent - timeout        | retry 250 | retry
  no response               | unknown      | unknown - timeout       | retry 250 | fail
  no time to wait           | not-accepted | unsent - timeout        | fail      | fail
  no time on the wire       | unknown      | unknown - timeout       | fail      | fail
  aborted before            | not-accepted | unsent - aborted        | fail      | fail
  aborted on the wire       | unknown      | unknown - aborted       | fail      | fail
  unusable                  | unknown      | unusable 200 unusable   | fail      | fail
  unusable, its payment     | accepted     | unusable 200 unusable   | fail      | fail
  unusable, another payment | unknown      | unusable 200 unusable   | fail      | fail
  too large 200             | unknown      | unusable 200 too_large  | fail      | fail
  too large 400             | not-accepted | refused 400 too_large   | fail      | fail
  too large 409             | unknown      | unknown 409 too_large   | fail      | fail
  too large 500             | unknown      | unknown 500 too_large   | fail      | fail
  queue full                | not-accepted | unsent - closed         | fail      | fail
  paused                    | not-accepted | unsent - closed         | fail      | fail
  permit expired            | not-accepted | unsent - permit_expired | fail      | fail
  closed                    | not-accepted | unsent - closed         | fail      | fail
  withheld                  | not-accepted | unsent - closed         | fail      | fail
  undici missing            | not-accepted | unsent - closed         | fail      | fail
  limiter                   | not-accepted | unsent - closed         | fail      | fail
  signer                    | not-accepted | unsent - signing        | fail      | fail
  no token                  | accepted     | unsent - closed         | fail      | fail
  302                       | unknown      | unknown 302 status_302  | fail      | fail
  400                       | not-accepted | refused 400 status_400  | fail      | fail
  401                       | not-accepted | refused 401 status_401  | fail      | fail
  403                       | not-accepted | refused 403 status_403  | fail      | fail
  404                       | not-accepted | refused 404 status_404  | fail      | fail
  408                       | unknown      | unknown 408 status_408  | retry 250 | fail
  409                       | not-accepted | refused 409 status_409  | fail      | fail
  422                       | not-accepted | refused 422 status_422  | fail      | fail
  425                       | unknown      | unknown 425 status_425  | retry 250 | fail
  429                       | not-accepted | refused 429 status_429  | retry 0   | retry
  499                       | unknown      | unknown 499 status_499  | retry 250 | fail
  500                       | unknown      | unknown 500 status_500  | retry 250 | fail
  502                       | unknown      | unknown 502 status_502  | retry 250 | fail
  503                       | unknown      | unknown 503 status_503  | retry 250 | fail
  599                       | unknown      | unknown 599 status_599  | retry 250 | fail`

const situation = { attempt: 1, retries: 4, remainingMs: 120_000, pausedMs: 0, nowMs: 0, random: 1 }
const plain = { ...situation, canRemint: false, retryNotFound: false, repeatable: true }

describe('after a failed attempt', () => {
  it.each(rowsOf(table))('%s: %s, %s, %s, %s', (name = '', proves, told, does, unrepeatable) => {
    const failure = failureOf(name)
    expect(outcomeOf(failure)).toBe(proves)
    const { outcome, status = '-', failure: label } = attemptEnd(failure)
    expect(`${outcome} ${status} ${label}`).toBe(told)
    const verdict = decideRetry(failure, plain)
    expect('delayMs' in verdict ? `${verdict.action} ${verdict.delayMs}` : verdict.action).toBe(does)
    expect(decideRetry(failure, { ...plain, repeatable: false }).action).toBe(unrepeatable)
  })

  it.each([
    ['401', 'token_refused'],
    ['404', 'not_found'],
    ['503', 'status_503'],
    ['no response', 'timeout'],
    ['broken connection', 'connection'],
  ])('%s, the next one is made because of %s', (name, reason) => {
    expect(retryReason(failureOf(name))).toBe(reason)
  })
})

describe('a status refuses only where it says that the request was looked at and turned down', () => {
  it('of all', () => {
    const all = Array.from({ length: 1000 }, (_, status) => status)
    expect(all.filter(refuses)).toEqual([
      ...[400, 401, 402, 403, 404, 405, 407, 409, 410, 411, 412, 413, 414, 415, 417, 421, 422, 426, 428, 429],
      ...[431, 451],
    ])
  })

  const given = rowsOf(readFileSync(new URL('statuses.tsv', import.meta.url), 'utf8').replaceAll('\t', '|'))
  it.each(given.filter(([status = '']) => /^\d+$/.test(status)))('%s is %s: %s', (status, outcome) => {
    expect(refuses(Number(status)) ? 'not-accepted' : 'unknown').toBe(outcome)
  })
})

it.each<readonly [Outcome, Outcome, Outcome]>([
  ['not-accepted', 'not-accepted', 'not-accepted'],
  ['unknown', 'not-accepted', 'unknown'],
  ['not-accepted', 'unknown', 'unknown'],
  ['accepted', 'unknown', 'accepted'],
  ['not-accepted', 'accepted', 'accepted'],
])('a later attempt undoes nothing (peer failure 12): %s and %s make %s', (one, other, both) => {
  expect(grown(one, other)).toBe(both)
})

describe('what the failure of another call means', () => {
  it('a read proves nothing about the payment, and carries its id', () => {
    const { details, money } = meaningOf({ kind: 'read', payment: 'payout', id: 'order-1' }, 'unknown')
    expect(details).toEqual({ idPayout: 'order-1' })
    expect(money).toContain('says nothing about whether the payout exists')
  })

  it.each([
    [{ kind: 'account' }, 'unknown', 'no payment was touched, and it is safe to ask again'],
    [{ kind: 'request', method: 'GET', path: '/x' }, 'unknown', 'safe to ask again'],
    [{ kind: 'request', method: 'POST', path: '/x' }, 'not-accepted', 'did not process it'],
    [{ kind: 'request', method: 'POST', path: '/x' }, 'unknown', 'may have processed it'],
    [{ kind: 'request', method: 'DELETE', path: '/x' }, 'accepted', 'has processed it'],
  ] as const)('%o with outcome %s: %s', (about, outcome, words) => {
    expect(meaningOf(about, outcome)).toEqual({ details: {}, money: expect.stringContaining(words) })
  })
})
