import { expect, test } from 'vitest'
import { redisSeen } from '../../../src/stores/redis/index.js'

const connection = { call: async () => null }

test.each([
  [redisSeen, undefined, 'redisSeen needs an object of options: connection.'],
  [redisSeen, {}, 'connection is missing; it must be a client of ioredis or of node-redis.'],
  [redisSeen, { connection: {} }, 'connection must be a client of ioredis or of node-redis.'],
  [
    redisSeen,
    { connection, expiresAfter: 1 },
    /^expiresAfter is not an option of redisSeen; .* did you mean expiresAfterMs\?$/,
  ],
  [
    redisSeen,
    { connection, expiresAfterMs: 0.5 },
    'expiresAfterMs must be a whole number of milliseconds, 1 or more.',
  ],
  [
    redisSeen,
    { connection, prefix: 'a{b}' },
    'prefix must be a text of letters, digits, dots, dashes, colons and underscores.',
  ],
])('%o refuses what it can not work with: %o', (make, options, sentence) => {
  expect(() => Reflect.apply(make, undefined, [options])).toThrow(sentence)
})
