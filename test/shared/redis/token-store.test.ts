import { randomBytes } from 'node:crypto'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TokenStore } from '../../../src/index.js'
import { redisTokenStore } from '../../../src/shared/redis/index.js'
import { describeWith, ownRedis, redisUrl } from '../../support/engines.js'
import { keepsTheContract } from '../../support/token-store-contract.js'

const newKey = () => randomBytes(32).toString('base64')
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

  async function mint(store: TokenStore, key: string): Promise<string> {
    const came = await store.claim(key, asked)
    if (came.state !== 'claimed') throw new Error(`not claimed but ${came.state}`)
    return store.put(key, came.claim, { token: 'canary-token', lifetimeMs: 900_000 })
  }

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

  test('keys rotate: what an old key has sealed is opened, and what is new is sealed with the first', async () => {
    const [old, young] = [newKey(), newKey()]
    await mint(storeOf(old), 'rotated')
    expect(await storeOf(young, old).claim('rotated', asked)).toMatchObject({ token: 'canary-token' })
    await mint(storeOf(young, old), 'young')
    expect(await storeOf(young).claim('young', asked)).toMatchObject({ token: 'canary-token' })
  })

  test('what another key has sealed is as good as none, and the claim tells of it', async () => {
    await mint(storeOf(newKey()), 'foreign')
    expect(await storeOf(newKey()).claim('foreign', asked)).toMatchObject({
      state: 'claimed',
      unreadable: true,
    })
  })

  test.each([
    ['nothing', ''],
    ['no text of ours', '{"token":"stolen"}'],
    ['a torn one', '1.abcdefgh.AAAA'],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0])],
    ['text of 10 MB', 'x'.repeat(10_000_000)],
    ['bytes of 10 MB', Buffer.alloc(10_000_000)],
  ])('an entry that is %s is as good as none, and no more of it is read than of ours', async (_, entry) => {
    const seen = listening(own.redis)
    const store = redisTokenStore({ connection: seen, encryptionKeys: [newKey()], prefix: own.prefix })
    const key = `torn ${randomBytes(4).toString('hex')}`
    await own.redis.set(`${own.prefix}:token:{${key}}`, entry)
    const claimed = await store.claim(key, asked)
    expect(claimed).toMatchObject({ state: 'claimed', unreadable: entry.length > 0 })
    if (claimed.state !== 'claimed') return
    await store.put(key, claimed.claim, { token: 'canary-token', lifetimeMs: 900_000 })
    expect(await store.claim(key, asked)).toMatchObject({ state: 'stored' })
    expect(JSON.stringify(seen.replies).length).toBeLessThan(100_000)
  })

  test('what was sealed for one key can not be put under another', async () => {
    const store = storeOf(newKey())
    await mint(store, 'M-0001:payins:moved')
    const text = await own.redis.get(`${own.prefix}:token:{M-0001:payins:moved}`)
    await own.redis.set(`${own.prefix}:token:{M-0002:payins:moved}`, text ?? '', 'PX', 60_000)
    expect(await store.claim('M-0002:payins:moved', asked)).toMatchObject({ state: 'claimed' })
  })

  test('every key of it ends by itself, and none holds the token', async () => {
    await mint(storeOf(newKey()), 'canary')
    for (const key of (await own.keys()).filter((one) => one.includes('canary'))) {
      expect(await own.redis.pttl(key)).toBeGreaterThan(0)
      expect(await own.redis.get(key)).not.toContain('canary-token')
    }
  })

  test('a script that Redis has forgotten is sent again', async () => {
    const store = storeOf(newKey())
    await mint(store, 'forgotten')
    await own.redis.script('FLUSH', 'SYNC')
    expect(await store.claim('forgotten', asked)).toMatchObject({ state: 'stored' })
  })
})
