import { expect, test } from 'vitest'
import { redisDedupe, redisTokenCache } from '../../../src/stores/redis/index.js'

const connection = { call: async () => null }

test.each([
  [redisDedupe, undefined, 'redisDedupe needs an object of options: connection.'],
  [redisDedupe, {}, 'connection is missing; it must be a client of ioredis or of node-redis.'],
  [redisDedupe, { connection: {} }, 'connection must be a client of ioredis or of node-redis.'],
  [
    redisDedupe,
    { connection, expiresAfter: 1 },
    /^expiresAfter is not an option of redisDedupe; .* did you mean expiresAfterMs\?$/,
  ],
  [
    redisDedupe,
    { connection, expiresAfterMs: 0.5 },
    'expiresAfterMs must be a whole number of milliseconds, 1 or more.',
  ],
  [
    redisDedupe,
    { connection, prefix: 'a{b}' },
    'prefix must be a text of letters, digits, dots, dashes, colons and underscores.',
  ],
  [redisTokenCache, { connection }, 'connection must be a client of ioredis or of node-redis.'],
])('%o refuses what it can not work with: %o', (make, options, sentence) => {
  expect(() => Reflect.apply(make, undefined, [options])).toThrow(sentence)
})
