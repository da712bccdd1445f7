import { describe, expect, test } from 'vitest'
import { ConfigurationError } from '../../src/index.js'
import { postgresDedupe, postgresRateLimit } from '../../src/stores/postgres/index.js'
import { redisDedupe, redisRateLimit, redisTokenCache } from '../../src/stores/redis/index.js'

const redis = { connection: { call: async () => null } }
const postgres = { connection: { query: async () => ({ rows: [] }) } }

test.each([
  [redisRateLimit, undefined, 'redisRateLimit needs an object of options: connection.'],
  [postgresRateLimit, undefined, 'postgresRateLimit needs an object of options: connection.'],
  [redisDedupe, undefined, 'redisDedupe needs an object of options: connection.'],
  [postgresDedupe, undefined, 'postgresDedupe needs an object of options: connection.'],
  [redisDedupe, {}, 'connection is missing; it must be a client of ioredis or of node-redis.'],
  [redisDedupe, { connection: {} }, 'connection must be a client of ioredis or of node-redis.'],
  [postgresDedupe, { connection: 'postgres://' }, 'connection must be a Pool or a Client of pg.'],
  [redisTokenCache, redis, 'connection must be a client of ioredis or of node-redis.'],
  [
    redisDedupe,
    { ...redis, expiresAfter: 1 },
    /^expiresAfter is not an option of redisDedupe; .* did you mean expiresAfterMs\?$/,
  ],
  [
    redisDedupe,
    { ...redis, expiresAfterMs: 0.5 },
    'expiresAfterMs must be a whole number of milliseconds, 1 or more.',
  ],
  [
    redisDedupe,
    { ...redis, prefix: 'a{b}' },
    'prefix must be a text of letters, digits, dots, dashes, colons and underscores.',
  ],
  [postgresDedupe, { ...postgres, schema: 'a"b' }, /^schema must be the name of a schema/],
  [postgresDedupe, { ...postgres, merchant: 7 }, 'merchant must be a text of at most 200 characters.'],
  [postgresDedupe, { ...postgres, shcema: 'a' }, /did you mean schema\?$/],
])('%o refuses what it can not work with: %o', (make, options, sentence) => {
  expect(() => Reflect.apply(make, undefined, [options])).toThrow(sentence)
})

describe.each([
  { name: 'redisRateLimit', make: (more: object) => redisRateLimit({ ...redis, ...more }) },
  { name: 'postgresRateLimit', make: (more: object) => postgresRateLimit({ ...postgres, ...more }) },
])('$name', ({ make }) => {
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
  ])('refuses %o at the door', (wrong, sentence) => {
    expect(() => make(wrong)).toThrow(ConfigurationError)
    expect(() => make(wrong)).toThrow(sentence)
  })

  test('takes fractions of a request', () => {
    expect(make({ requestsPerSecond: 0.5, processes: 4 })).toHaveProperty('acquire')
  })
})
