import { describe, expect, it } from 'vitest'
import { refreshAfterMs, tokenLifetimeMs } from '../../src/auth/token-lifetime.js'

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
