import { describe, expect, test } from 'vitest'
import { ConfigurationError } from '../../../src/index.js'
import { postgresRateLimit } from '../../../src/stores/postgres/index.js'
import { redisRateLimit } from '../../../src/stores/redis/index.js'

const redis = { connection: { call: async () => undefined }, name: 'M-1' }
const postgres = { connection: { query: async () => ({ rows: [] }) }, name: 'M-1' }

describe.each([
  { budget: 'redisRateLimit', make: (more: object) => redisRateLimit({ ...redis, ...more }) },
  { budget: 'postgresRateLimit', make: (more: object) => postgresRateLimit({ ...postgres, ...more }) },
])('$budget refuses at the door', ({ budget, make }) => {
  test.each([
    [{ connection: 'redis://127.0.0.1' }, /^connection must be a /],
    [
      { name: '' },
      /^name must be a text of 1 to 200 characters without braces, such as the merchant code\.$/,
    ],
    [{ name: 'a{b}' }, /^name must be a text/],
    [
      { requestsPerSecond: 0 },
      /^requestsPerSecond must be a number of requests a second, from 0\.001 to 10000\.$/,
    ],
    [{ requestsPerSecond: Number.NaN }, /^requestsPerSecond must be/],
    [{ processes: 0 }, /^processes must be a whole number, 1 or more\.$/],
    [{ processes: 1.5 }, /^processes must be/],
    [{ storeTimeoutMs: 0 }, /^storeTimeoutMs must be a number of milliseconds/],
    [{ onStoreAway: 'log' }, /^onStoreAway must be a function that takes the reason\.$/],
    [{ proceses: 8 }, /^proceses is not an option of .*; did you mean processes\?$/],
  ])('%o', (wrong, sentence) => {
    expect(() => make(wrong)).toThrow(ConfigurationError)
    expect(() => make(wrong)).toThrow(sentence)
  })

  test('no options at all, and takes fractions of a request', () => {
    expect(() =>
      Reflect.apply(budget === 'redisRateLimit' ? redisRateLimit : postgresRateLimit, undefined, []),
    ).toThrow(`${budget} needs an object of options: connection.`)
    expect(make({ requestsPerSecond: 0.5, processes: 4 })).toHaveProperty('acquire')
  })
})
