import { Redis } from 'ioredis'
import { createClient } from 'redis'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { newLedger } from '../../src/budget/reservation.js'
import type { Limiter } from '../../src/index.js'
import { type RedisConnection, redisBudget } from '../../src/redis/index.js'
import { describeWith, ownRedis, redisUrl } from '../support/engines.js'

const never = new AbortController().signal

/** Two budgets of one name: the first takes all that there is in a second, and the other has to wait for the next. */
async function expectShared(
  one: Limiter,
  other: Limiter,
  ledger: () => Promise<{ readonly count: number; readonly slots: readonly number[] }>,
): Promise<void> {
  for (let n = 0; n < 10; n++) {
    await one.acquire(never, { priority: 'customer' })
    one.sent?.()
  }
  // More than ten where a slot was due while this process stood still.
  const {
    count,
    slots: [first = 0],
  } = await ledger()
  const ending = new AbortController()
  const given = other.acquire(ending.signal, { priority: 'customer' })
  // Its slot is reserved, and not due yet.
  const { slots } = await vi.waitFor(async () => {
    const kept = await ledger()
    expect(kept.count).toBeGreaterThan(count)
    return kept
  })
  expect(slots.at(-1)).toBeGreaterThanOrEqual(first + 1080)
  ending.abort('enough')
  await expect(given).rejects.toBe('enough')
}

describeWith('redis', 'a budget in Redis', () => {
  const engine = ownRedis()
  afterAll(() => engine[Symbol.asyncDispose]())
  const optionsOf = (name: string) => ({ connection: engine.redis, prefix: engine.prefix, name })
  /** One that begins keeps everybody waiting. */
  const hasBegun = (name: string) =>
    engine.redis.set(`${engine.prefix}:budget:{${name}}`, JSON.stringify(newLedger(1, 0)))
  const ledgerOf = (name: string) => async () =>
    JSON.parse((await engine.redis.get(`${engine.prefix}:budget:{${name}}`)) ?? '{}')

  test('is shared by all that give its name, over ioredis', async () => {
    await hasBegun('M-1')
    await expectShared(redisBudget(optionsOf('M-1')), redisBudget(optionsOf('M-1')), ledgerOf('M-1'))
    const [, key] = [await engine.keys(), `${engine.prefix}:budget:{M-1}`]
    expect(await engine.redis.pttl(key)).toBeGreaterThan(3_600_000)
  })

  test('is shared between ioredis and node-redis', async () => {
    await hasBegun('M-2')
    const connection = await createClient({ url: redisUrl }).connect()
    try {
      await expectShared(
        redisBudget(optionsOf('M-2')),
        redisBudget({ ...optionsOf('M-2'), connection }),
        ledgerOf('M-2'),
      )
    } finally {
      connection.destroy()
    }
  })

  test('of another name is another budget', async () => {
    const [one, other] = [redisBudget(optionsOf('M-3')), redisBudget(optionsOf('M-4'))]
    await Promise.all(['M-3', 'M-4'].map(hasBegun))
    for (let n = 0; n < 10; n++) await one.acquire(never, { priority: 'customer' })
    await other.acquire(never, { priority: 'customer' })
    expect([(await ledgerOf('M-3')()).count, (await ledgerOf('M-4')()).count]).toEqual([10, 1])
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
    await redisBudget({ ...optionsOf('M-5'), connection }).acquire(never, { priority: 'customer' })
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
        const now = Date.now()
        return JSON.stringify({ now, slot: now, id: 1, count: 1, comeInMs: 0, ticket: 0, sharesMs: 0 })
      },
    }
    await redisBudget({ connection, name: 'M-1' }).acquire(never, { priority: 'customer' })
    expect(told).toEqual([['merchant-gateway:budget:{M-1}', false, 'EVALSHA']])
  })
})

describe('a connection to nothing', () => {
  test('makes the store away', async () => {
    const connection = new Redis('redis://127.0.0.1:1', { maxRetriesPerRequest: 0, retryStrategy: () => 10 })
    connection.on('error', () => undefined)
    const reasons: unknown[] = []
    const budget = redisBudget({
      connection,
      name: 'M-1',
      storeTimeoutMs: 50,
      onStoreAway: (reason) => reasons.push(reason),
    })
    const ending = new AbortController()
    const given = budget.acquire(ending.signal, { priority: 'customer' })
    setTimeout(() => ending.abort('enough'), 300)
    await expect(given).rejects.toBe('enough')
    connection.disconnect()
    expect(reasons).toHaveLength(1)
  })
})
