import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { redisSeen, redisTokenStore } from '../../../src/stores/redis/index.js'

const connection = { call: async () => null }
const key = randomBytes(32)
const keys =
  'encryptionKeys must be a list of keys of 32 random bytes each, in base64, hex or as bytes, the one that encrypts first; "openssl rand -base64 32" makes one.'

describe('encryptionKeys', () => {
  test.each([
    ['bytes', key],
    ['hex', key.toString('hex')],
    ['base64', key.toString('base64')],
    ['base64 as openssl prints it', `${key.toString('base64')}\n`],
    ['base64url', key.toString('base64url')],
  ])('may be %s', (_, one) => {
    expect(() => redisTokenStore({ connection, encryptionKeys: [one] })).not.toThrow()
  })

  test.each([
    ['no key', []],
    ['no list', key],
    ['a short one', [key.subarray(1)]],
    ['a phrase', ['correct horse battery staple 1234']],
    ['one that was not set', [undefined]],
    ['an empty one', ['']],
    ['zeros', [Buffer.alloc(32)]],
  ])('may not be %s', (_, encryptionKeys) => {
    expect(() => Reflect.apply(redisTokenStore, undefined, [{ connection, encryptionKeys }])).toThrow(keys)
  })
})

test.each([
  [redisTokenStore, undefined, 'redisTokenStore needs an object of options: connection and encryptionKeys.'],
  [redisTokenStore, { connection }, /^encryptionKeys is missing; it must be a list of keys/],
  [redisTokenStore, {}, 'connection is missing; it must be a client of ioredis or of node-redis.'],
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
