import { describe, expect, it } from 'vitest'
import { followedMs, retryAfterMs } from '../../../src/client/http/limit/retry-after.js'
import {
  backoffMs,
  clockAheadMs,
  decideRetry,
  type RetrySituation,
} from '../../../src/client/http/retry-policy.js'
import { answered, failureOf } from '../../support/failures.js'

const nowMs = Date.parse('2026-11-21T07:00:00.000Z')
const inSeconds = (secs: number) => new Date(nowMs + secs * 1000).toUTCString()

const situation: RetrySituation = {
  attempt: 1,
  retries: 4,
  remainingMs: 120_000,
  canRemint: false,
  retryNotFound: false,
  repeatable: true,
  pausedMs: 0,
  nowMs,
  random: 1,
}

const first = { action: 'retry', delayMs: 250 }
const fail = { action: 'fail' }
/** The queue holds it back, together with everybody else. */
const atOnce = { action: 'retry', delayMs: 0 }

describe('a 401 is answered by a fresh token, once', () => {
  it.each([
    ['a call with a cached token', {}, { action: 'remint' }],
    ['whatever the retries', { retries: 0 }, { action: 'remint' }],
    [
      'a request that must not be repeated: it was not processed',
      { repeatable: false },
      { action: 'remint' },
    ],
    ['not twice', { canRemint: false }, fail],
  ])('%s', (_case, more, verdict) => {
    expect(decideRetry(answered(401), { ...situation, canRemint: true, ...more })).toEqual(verdict)
  })
})

describe('a token that may only have to become known is tried again after a moment', () => {
  it.each([
    ['for free', { tokenAfterMs: 300, attempt: 100 }, { action: 'wait', delayMs: 300 }],
    ['not beyond the deadline', { tokenAfterMs: 300, remainingMs: 300 }, fail],
    ['and a new one is minted where that does not help', { canRemint: true }, { action: 'remint' }],
  ])('%s', (_case, more, verdict) => {
    expect(decideRetry(answered(401), { ...situation, ...more })).toEqual(verdict)
  })

  it.each([419, 440, 498])(
    'and not where a request may not be repeated and a %i proves nothing',
    (status) => {
      const once = { ...situation, repeatable: false }
      for (const more of [{ canRemint: true }, { tokenAfterMs: 300 }]) {
        expect(decideRetry(answered(status), { ...once, ...more })).toEqual(fail)
      }
    },
  )

  it('and only after a response', () => {
    expect(decideRetry(failureOf('broken connection'), { ...situation, tokenAfterMs: 300 })).toEqual(first)
  })
})

describe('attempts are counted: "retries: 4" means five attempts (peer failure 9)', () => {
  it.each([
    [1, 0, 'fail'],
    [1, 1, 'retry'],
    [2, 1, 'fail'],
    [4, 4, 'retry'],
    [5, 4, 'fail'],
    [100, 4, 'fail'],
  ])('after attempt %i with retries %i: %s', (attempt, retries, action) => {
    expect(decideRetry(answered(503), { ...situation, attempt, retries }).action).toBe(action)
  })
})

it('a 429 is no retry of the caller’s: "not processed" (section 7), so only the deadline ends it', () => {
  for (const retries of [0, 4]) {
    expect(decideRetry(answered(429), { ...situation, attempt: 0, retries })).toEqual(atOnce)
    expect(decideRetry(answered(429), { ...situation, attempt: 100, retries })).toEqual(atOnce)
  }
})

describe('Retry-After is never shortened', () => {
  it.each([
    ['2 s', 503, '2', { action: 'retry', delayMs: 2_000 }],
    ['61 s (peer failure 8)', 503, '61', { action: 'retry', delayMs: 61_000 }],
    ['61 s on a 429: the pause of everybody', 429, '61', atOnce],
    ['a year on a 429: the pause of everybody, too', 429, '31536000', atOnce],
    ['a date in 61 s', 503, inSeconds(61), { action: 'retry', delayMs: 61_000 }],
    ['nothing to wait: the backoff stands', 503, '0', first],
    ['a date that has passed: the backoff stands', 503, inSeconds(-60), first],
    ['garbled: the backoff stands', 503, 'soon', first],
    ['garbled on a 429', 429, '-5', atOnce],
    ['on a 400 it makes no retry, and is carried', 400, '2', { action: 'fail', retryAfterMs: 2_000 }],
  ])('%s', (_case, status, header, verdict) => {
    const failure = answered(status, { 'retry-after': header })
    expect(decideRetry(failure, situation)).toEqual(verdict)
  })
})

describe('where the wait would pass the deadline, the call fails at once and carries it', () => {
  it.each([
    ['121 s of 120', '121', 120_000, { action: 'fail', retryAfterMs: 121_000 }],
    ['just all that is left', '120', 120_000, { action: 'fail', retryAfterMs: 120_000 }],
    ['a backoff that is longer than what is left', '', 249, fail],
    ['nothing left', '', 0, fail],
    ['time enough', '', 251, first],
  ])('%s', (_case, asked, remainingMs, verdict) => {
    const failure = answered(503, { 'retry-after': asked })
    expect(decideRetry(failure, { ...situation, remainingMs })).toEqual(verdict)
  })

  it.each([
    [1_000, 1_001, atOnce],
    [1_000, 1_000, fail],
    [0, 0, fail],
  ])('a 429 that pauses everybody for %i ms, in a call that has %i', (pausedMs, remainingMs, verdict) => {
    expect(decideRetry(answered(429), { ...situation, pausedMs, remainingMs })).toEqual(verdict)
  })

  it('also where the gateway asked for more than everybody pauses', () => {
    const year = answered(429, { 'retry-after': '31536000' })
    const verdict = decideRetry(year, { ...situation, pausedMs: 60_000, remainingMs: 59_000 })
    expect(verdict).toEqual({ action: 'fail', retryAfterMs: 31_536_000_000 })
  })
})

describe('for how long everybody pauses after a 429 that asked for a time', () => {
  const [minute, hour, year] = [60_000, 3_600_000, 31_536_000_000]
  it.each([
    ['as asked, where the call can wait for it', 61_000, 120_000, 61_000],
    ['just all that is left of the call', 120_000, 120_000, 120_000],
    ['a minute, where it can not', 121_000, 120_000, minute],
    ['a minute for a year', year, 120_000, minute],
    ['a minute, in a call of a month', year, 30 * 24 * hour, minute],
    ['an hour, in a call of a day', hour, 24 * hour, hour],
    ['a minute for more than an hour, in a call of a day', hour + 1, 24 * hour, minute],
    ['as asked where that is less than a minute, in a shorter call', 10_000, 5_000, 10_000],
    ['a minute where the call is over', 61_000, 0, minute],
    ['nothing', 0, 120_000, 0],
  ])('%s', (_what, askedMs, leftMs, ms) => {
    expect(followedMs(askedMs, leftMs)).toBe(ms)
  })
})

it('a 404 is tried again only by a lookup of a payment that a 409 has proved to exist', () => {
  expect(decideRetry(answered(404), { ...situation, retryNotFound: true })).toEqual(first)
})

describe('backoffMs', () => {
  it.each([
    [1, 125, 250],
    [2, 250, 500],
    [3, 500, 1_000],
    [5, 2_000, 4_000],
    [6, 4_000, 8_000],
    [7, 4_000, 8_000],
    [2_000, 4_000, 8_000],
  ])('after attempt %i is from %i to %i ms', (attempt, least, most) => {
    expect(backoffMs(attempt, 0)).toBe(least)
    expect(backoffMs(attempt, 1)).toBe(most)
  })
})

describe('retryAfterMs', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['soon 5', undefined],
    ['1e3', undefined],
    ['2026-11-21', undefined],
    ['0', 0],
    ['2', 2_000],
    [' 61 ', 61_000],
    ['1.5', 1_500],
    ['Sat, 21 Nov 2026 07:01:01 GMT', 61_000],
    ['Saturday, 21-Nov-26 07:01:01 GMT', 61_000],
    ['Sat Nov 21 07:01:01 2026', 61_000],
    ['Sat, 21 Nov 2026 06:00:00 GMT', 0],
  ])('%j is %s ms', (header, ms) => {
    expect(retryAfterMs(header, nowMs)).toBe(ms)
  })
})

describe('clockAheadMs', () => {
  it.each([
    [undefined, undefined],
    ['garbled', undefined],
    [inSeconds(0), undefined],
    [inSeconds(2), undefined],
    [inSeconds(-2), undefined],
    [inSeconds(3), -3_000],
    [inSeconds(-3), 3_000],
    [inSeconds(61), -61_000],
    [inSeconds(-86_400), 86_400_000],
  ])('with the gateway’s clock at %j is %s', (date, ahead) => {
    expect(clockAheadMs(date, nowMs)).toBe(ahead)
  })
})
