import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, describe, expect, test } from 'vitest'
import { newLedger } from '../../../src/stores/rate-limit/ledger.js'
import { type RedisConnection, redisRateLimit } from '../../../src/stores/redis/index.js'
import { describeWith, ownRedis, redisUrl } from '../../support/engines.js'
import { expectNoneLost, expectShared } from '../rate-limit/expect-shared.js'

const never = new AbortController().signal

describeWith('redis', 'a rate limit in Redis', () => {
  const engine = ownRedis()
  afterAll(() => engine[Symbol.asyncDispose]())
  const optionsOf = (name: string) => ({ connection: engine.redis, prefix: engine.prefix, name })
  /** One that begins keeps everybody waiting. */
  const hasBegun = (name: string) =>
    engine.redis.set(`${engine.prefix}:ledger:{${name}}`, JSON.stringify(newLedger(1, 0)))
  const ledgerOf = (name: string) => async () =>
    JSON.parse((await engine.redis.get(`${engine.prefix}:ledger:{${name}}`)) ?? '{}')

  test('is shared by all that give its name, over ioredis', async () => {
    await hasBegun('M-1')
    await expectShared(redisRateLimit(optionsOf('M-1')), redisRateLimit(optionsOf('M-1')), ledgerOf('M-1'))
    const [, key] = [await engine.keys(), `${engine.prefix}:ledger:{M-1}`]
    expect(await engine.redis.pttl(key)).toBeGreaterThan(3_600_000)
  })

  test('is shared between ioredis and node-redis', async () => {
    await hasBegun('M-2')
    const connection = await createClient({ url: redisUrl }).connect()
    try {
      await expectShared(
        redisRateLimit(optionsOf('M-2')),
        redisRateLimit({ ...optionsOf('M-2'), connection }),
        ledgerOf('M-2'),
      )
    } finally {
      connection.destroy()
    }
  })

  test('of another name is another one', async () => {
    const [one, other] = [redisRateLimit(optionsOf('M-3')), redisRateLimit(optionsOf('M-4'))]
    await Promise.all(['M-3', 'M-4'].map(hasBegun))
    for (let n = 0; n < 10; n++) await one.acquire(never, { priority: 'customer' })
    await other.acquire(never, { priority: 'customer' })
    // More than were taken where a slot was due while this process stood still.
    expect((await ledgerOf('M-3')()).count).toBeGreaterThanOrEqual(10)
    expect((await ledgerOf('M-4')()).count).toBeLessThan(10)
  })

  test('without a name is one for each account, whatever the prefix', async () => {
    const { connection, prefix } = optionsOf('')
    const limit = redisRateLimit({ connection, prefix })
    await Promise.all(['one', 'other', 'default'].map(hasBegun))
    const [one, other] = ['one', 'other'].map((account) => limit.forAccount?.(account))
    for (let n = 0; n < 10; n++) await one?.acquire(never, { priority: 'customer' })
    await other?.acquire(never, { priority: 'customer' })
    await limit.acquire(never, { priority: 'customer' })
    const counts = ['one', 'other', 'default'].map(async (name) => (await ledgerOf(name)()).count)
    const [ofOne, ...ofOthers] = await Promise.all(counts)
    expect(ofOne).toBeGreaterThanOrEqual(10)
    for (const count of ofOthers) expect(count).toBeLessThan(10)
    // The same client made again in this process has the same.
    expect(limit.forAccount?.('one')).toBe(one)
  })

  test.concurrent.each([
    'not json',
    '{"slots":{}}',
    '\xff\xfe',
    'x'.repeat(59_000),
    'x'.repeat(10_000_000),
    JSON.stringify({ ...newLedger(1, 0), sharesUntil: 1e15 }),
  ])('goes on at its next ask where something else is in the place of its ledger', async (text) => {
    const name = `odd-${text.length}`
    await engine.redis.set(`${engine.prefix}:ledger:{${name}}`, Buffer.from(text, 'latin1'))
    const beganAt = performance.now()
    await redisRateLimit({ ...optionsOf(name), processes: 1 }).acquire(never, { priority: 'customer' })
    expect(performance.now() - beganAt).toBeLessThan(5000)
    expect((await ledgerOf(name)()).count).toBeGreaterThanOrEqual(1)
  })

  test('is read no further than a ledger may be long', async () => {
    await engine.redis.set(`${engine.prefix}:ledger:{long}`, 'x'.repeat(1_000_000))
    const replies: unknown[] = []
    const connection = {
      call: async (command: string, ...args: string[]) => {
        const reply = await engine.redis.call(command, ...args)
        replies.push(reply)
        return reply
      },
    }
    await redisRateLimit({ ...optionsOf('long'), connection }).acquire(never, { priority: 'customer' })
    expect(JSON.stringify(replies[0]).length).toBeLessThan(10_000)
  })

  test('begins anew where the place of its ledger holds no text at all', async () => {
    await engine.redis.rpush(`${engine.prefix}:ledger:{list}`, 'one')
    await redisRateLimit({ ...optionsOf('list'), processes: 1 }).acquire(never, { priority: 'customer' })
    expect((await ledgerOf('list')()).count).toBeGreaterThanOrEqual(1)
  })

  test('begins nothing where it may not read, or every process would have a ledger of its own', async () => {
    const name = `writer-${process.pid}`
    await engine.redis.call('ACL', 'SETUSER', name, 'on', 'nopass', '~*', '+@all', '-getrange')
    const writer = engine.redis.duplicate({ username: name, password: 'any' })
    try {
      const ending = new AbortController()
      const reasons: unknown[] = []
      const limit = redisRateLimit({
        ...optionsOf('unread'),
        connection: writer,
        onStoreAway(reason) {
          reasons.push(reason)
          ending.abort('enough')
        },
      })
      await expect(limit.acquire(ending.signal, { priority: 'customer' })).rejects.toBe('enough')
      expect(String(reasons)).toMatch(/permission|can't run/i)
      expect(await engine.redis.exists(`${engine.prefix}:ledger:{unread}`)).toBe(0)
    } finally {
      writer.disconnect()
      await engine.redis.call('ACL', 'DELUSER', name)
    }
  })

  test('loses no permit where eight ask at once', async () => {
    await hasBegun('M-6')
    const limits = Array.from({ length: 8 }, () => redisRateLimit(optionsOf('M-6')))
    await expectNoneLost(limits, ledgerOf('M-6'))
  })

  test('comes back after SCRIPT FLUSH', async () => {
    const sent: string[] = []
    const connection = {
      call: (command: string, ...args: string[]) => {
        sent.push(command)
        // What Redis says when it doesn't know the script.
        if (command === 'EVALSHA' && sent.length === 1)
          return engine.redis.call('EVALSHA', 'f'.repeat(40), '0')
        return engine.redis.call(command, ...args)
      },
    }
    await hasBegun('M-5')
    await redisRateLimit({ ...optionsOf('M-5'), connection }).acquire(never, { priority: 'customer' })
    expect(sent.slice(0, 2)).toEqual(['EVALSHA', 'EVAL'])
  })
})

describe('a cluster of node-redis', () => {
  test('is told the key, and that the script writes', async () => {
    const told: unknown[] = []
    const connection: RedisConnection = {
      masters: [],
      sendCommand: async (key: unknown, isReadonly: unknown, [command]: (string | Buffer)[]) => {
        told.push([key, isReadonly, command])
        return told.length === 1 ? [Date.now(), JSON.stringify(newLedger(1, 0)), 'sha'] : 1
      },
    }
    await redisRateLimit({ connection, name: 'M-1' }).acquire(never, { priority: 'customer' })
    const call = ['merchant-gateway:ledger:{M-1}', false, 'EVALSHA']
    expect(told).toEqual([call, call])
  })
})

describe('a connection to nothing', () => {
  test('makes the store away', async () => {
    const connection = new Redis('redis://127.0.0.1:1', { maxRetriesPerRequest: 0, retryStrategy: () => 10 })
    connection.on('error', () => undefined)
    const reasons: unknown[] = []
    const limit = redisRateLimit({
      connection,
      name: 'M-1',
      storeTimeoutMs: 50,
      onStoreAway: (reason) => reasons.push(reason),
    })
    const ending = new AbortController()
    const given = limit.acquire(ending.signal, { priority: 'customer' })
    setTimeout(() => ending.abort('enough'), 300)
    await expect(given).rejects.toBe('enough')
    connection.disconnect()
    expect(reasons).toHaveLength(1)
  })
})
