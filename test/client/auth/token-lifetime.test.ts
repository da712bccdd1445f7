import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refreshAfterMs, tokenLifetimeMs, usableMs } from '../../../src/client/auth/token-lifetime.js'

describe('how long a token lives is read off the gateway’s clock alone', () => {
  const hour = 3600
  it.each([
    ['what was asked for, when the token says nothing', 900, undefined, undefined, undefined, 900_000],
    ['seconds are seconds: an hour is not 3.6 s (peer failure 15)', hour, 0, hour, undefined, 3_600_000],
    ['its own claims, when they say less', 900, 1000, 1300, undefined, 300_000],
    ['what was asked for, when its claims say more', 900, 1000, 1000 + hour, undefined, 900_000],
    ['from the Date header, without iat', 900, undefined, 1300, 1_000_000, 300_000],
    ['iat goes before the Date header', 900, 1100, 1300, 1_000_000, 200_000],
    ['what was asked for, when nothing says when it began', 900, undefined, 1300, undefined, 900_000],
    ['nothing, when it had expired before it was born', 900, 1300, 1000, undefined, 0],
  ])('%s', (_case, validitySecs, iat, exp, gatewayNowMs, lifetimeMs) => {
    expect(tokenLifetimeMs({ validitySecs, iat, exp, gatewayNowMs })).toBe(lifetimeMs)
  })
})

describe('whatever a token claims, it lives no longer than was asked for, and not for ever', () => {
  const now = 1_700_000_000
  const odd = [
    ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e308, -1e308, 1e300, 9e15, 2 ** 53],
    ...[-1, -0, 0, 0.5, 5e-324, now, now * 1000, now + 3600, now - 3600, '1e308', null, true, [], {}],
  ]

  it('whatever claims, date and validity are', () => {
    const dates = fc.constantFrom(undefined, 0, now * 1000, 8.64e15)
    const validities = fc.constantFrom(1, 900, Number.MAX_SAFE_INTEGER, 1e308)
    const claims = fc.constantFrom<unknown[]>(...odd)
    fc.assert(
      fc.property(claims, claims, dates, validities, (exp, iat, gatewayNowMs, validitySecs) => {
        const lifetimeMs = tokenLifetimeMs({ validitySecs, iat, exp, gatewayNowMs })
        expect(lifetimeMs >= 0 && lifetimeMs <= validitySecs * 1000 && Number.isFinite(lifetimeMs)).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['an end beyond all dates is no claim', 1e308, now, 900_000],
    ['an end before 1970 is no claim', -1, now, 900_000],
    ['an end that is no number is no claim', String(now), now, 900_000],
    ['a beginning beyond all dates is no claim', now + 300, 1e308, 300_000],
    ['both beyond all dates are none', 1e308, 1e308, 900_000],
    ['a beginning in the future, and an end after it', now + 3900, now + 3600, 300_000],
    ['a beginning in the future, after the end: the response has a date', now + 300, now + 3600, 300_000],
  ])('%s', (_case, exp, iat, lifetimeMs) => {
    expect(tokenLifetimeMs({ validitySecs: 900, iat, exp, gatewayNowMs: now * 1000 })).toBe(lifetimeMs)
  })
})

describe('a token is not used in the second by which its date may have been rounded down', () => {
  it.each([
    ['a token of 15 minutes', 900_000, 899_000],
    ['a token of ten seconds', 10_000, 9_000],
    ['a token of a second, for half of it', 1_000, 500],
    ['a token without a life', 0, 0],
  ])('%s', (_case, lifetimeMs, forMs) => {
    expect(usableMs(lifetimeMs)).toBe(forMs)
  })

  it('a token asked for at the end of a second is never sent after the gateway’s end of it', () => {
    fc.assert(
      fc.property(fc.nat(999), fc.integer({ min: 2, max: 86_400 }), (msOfSecond, validitySecs) => {
        const issuedMs = 1_700_000_000_000 + msOfSecond
        const iat = Math.floor(issuedMs / 1000)
        const exp = iat + validitySecs
        const lifetimeMs = tokenLifetimeMs({ validitySecs, iat, exp, gatewayNowMs: undefined })
        expect(issuedMs + usableMs(lifetimeMs)).toBeLessThanOrEqual(exp * 1000)
      }),
    )
  })
})

describe('a token is replaced before it ends, by a share of its life', () => {
  it.each([
    ['a token of a second, at 0.9 s', 1_000, 0, 900],
    ['a token of a second, at 0.8 s', 1_000, 1, 800],
    ['a token of a minute', 60_000, 1, 48_000],
    ['a token of 15 minutes, half a minute early', 900_000, 0, 870_000],
    ['a token of 15 minutes, a minute early', 900_000, 1, 840_000],
    ['a token of a day, a minute early', 86_400_000, 1, 86_340_000],
    ['a token without a life', 0, 1, 0],
  ])('%s', (_case, lifetimeMs, random, at) => {
    expect(refreshAfterMs(lifetimeMs, random)).toBeCloseTo(at, 6)
  })
})
