import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisTokenStore } from '../../../src/stores/redis/index.js'
import { describeWith, ownRedis, redisUrl } from '../../support/engines.js'
import { keepsTheContract, mint, newKey, sealsItsTokens } from '../../support/token-store-contract.js'

/** A connection that keeps what Redis replied. */
function listening(redis: { call(command: string, ...args: (string | Buffer)[]): Promise<unknown> }) {
  const replies: unknown[] = []
  return {
    replies,
    async call(command: string, ...args: (string | Buffer)[]) {
      const reply = await redis.call(command, ...args)
      replies.push(reply)
      return reply
    },
  }
}

const asked = { unless: undefined, forMs: 5_000 }

describeWith('redis', 'redisTokenStore', () => {
  let own: ReturnType<typeof ownRedis>
  beforeAll(() => {
    own = ownRedis()
  })
  afterAll(() => own[Symbol.asyncDispose]())
  const storeOf = (...encryptionKeys: string[]) =>
    redisTokenStore({ connection: own.redis, encryptionKeys, prefix: own.prefix })

  describe('over ioredis', () => {
    keepsTheContract(() => storeOf(newKey()))
  })

  describe('over node-redis', () => {
    const connection = createClient({ url: redisUrl })
    beforeAll(async () => {
      await connection.connect()
    })
    afterAll(() => connection.destroy())
    keepsTheContract(() =>
      redisTokenStore({ connection, encryptionKeys: [newKey()], prefix: `${own.prefix}:node-redis` }),
    )
  })

  sealsItsTokens({
    storeOf,
    counted() {
      const seen = listening(own.redis)
      return {
        store: redisTokenStore({ connection: seen, encryptionKeys: [newKey()], prefix: own.prefix }),
        characters: () => seen.replies.flat().join('').length,
      }
    },
    write: (key, text) => own.redis.set(`${own.prefix}:token:{${key}}`, text, 'PX', 60_000),
    contents: async (key) => (await own.redis.get(`${own.prefix}:token:{${key}}`)) ?? '',
  })

  test.each([
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0])],
    ['bytes of 10 MB', Buffer.alloc(10_000_000)],
  ])('an entry that is %s is as good as none, and the claim tells of it', async (key, entry) => {
    await own.redis.set(`${own.prefix}:token:{${key}}`, entry)
    expect(await storeOf(newKey()).claim(key, asked)).toMatchObject({ state: 'claimed', unreadable: true })
  })

  test('what it keeps ends by itself', async () => {
    await mint(storeOf(newKey()), 'ending')
    expect(await own.redis.pttl(`${own.prefix}:token:{ending}`)).toBeGreaterThan(0)
  })

  test('a claim is its own where a connection that broke has sent it twice', async () => {
    const twice = {
      async call(command: string, ...args: (string | Buffer)[]) {
        await own.redis.call(command, ...args)
        return own.redis.call(command, ...args)
      },
    }
    const store = redisTokenStore({ connection: twice, encryptionKeys: [newKey()], prefix: own.prefix })
    // So that Redis knows the script.
    await storeOf(newKey()).claim('before', asked)
    const version = await mint(store, 'twice')
    expect(await store.claim('twice', asked)).toMatchObject({ state: 'stored', version })
  })

  test('a script that Redis has forgotten is sent again', async () => {
    const store = storeOf(newKey())
    await mint(store, 'forgotten')
    await own.redis.script('FLUSH', 'SYNC')
    expect(await store.claim('forgotten', asked)).toMatchObject({ state: 'stored' })
  })
})
