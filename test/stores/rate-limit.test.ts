import { Redis } from 'ioredis'
import pg from 'pg'
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Limiter } from '../../src/index.js'
import { postgresRateLimit, schemaSql } from '../../src/stores/postgres/index.js'
import { type Ledger, newLedger } from '../../src/stores/rate-limit/ledger.js'
import { type RedisConnection, redisRateLimit } from '../../src/stores/redis/index.js'
import { databaseUrl, describeWith, ownPostgres, ownRedis, redisUrl } from '../support/engines.js'
import { expectNoneLost, expectShared } from './rate-limit/expect-shared.js'

const never = () => new AbortController().signal
const customer = { priority: 'customer' } as const
/** One that begins keeps everybody waiting. */
const begun = JSON.stringify(newLedger(1, 0))

interface Engine {
  /** A rate limit of this name; what its connection is answered is told to `onReply`. */
  make(name: string, more?: { processes?: number; onReply?: (reply: unknown) => void }): Limiter
  keep(name: string, text: string | Buffer): Promise<unknown>
  ledgerOf(name: string): Promise<Ledger>
}

function testRateLimit({ make, keep, ledgerOf }: Engine): void {
  test('is shared by all that give its name', async () => {
    await keep('M-1', begun)
    let replies = 0
    const onReply = () => void replies++
    await expectShared(make('M-1', { onReply }), make('M-1', { onReply }), () => ledgerOf('M-1'))
    // Two a permit; on a busy machine, a response that came too late costs another.
    expect(replies).toBeLessThanOrEqual(30)
  })

  test.concurrent.each([
    'not json',
    '{"slots":{}}',
    'x'.repeat(59_000),
    'x'.repeat(10_000_000),
    JSON.stringify({ ...newLedger(1, 0), sharesUntil: 1e15 }),
    JSON.stringify({ ...newLedger(1, 0), count: 1e300 }),
  ])('goes on at its next ask where something else is in the place of its ledger (%#)', async (text) => {
    const name = `odd-${text.length}`
    await keep(name, text)
    const beganAt = performance.now()
    await make(name, { processes: 1 }).acquire(never(), customer)
    expect(performance.now() - beganAt).toBeLessThan(5000)
    const { count } = await ledgerOf(name)
    expect(count).toBeGreaterThanOrEqual(1)
    // More than one where a busy machine came too late for the first slot.
    expect(count).toBeLessThan(100)
  })

  test('is read no further than a ledger may be long', async () => {
    await keep('long', 'x'.repeat(1_000_000))
    const replies: unknown[] = []
    await make('long', { onReply: (reply) => replies.push(reply) }).acquire(never(), customer)
    expect(JSON.stringify(replies[0]).length).toBeLessThan(10_000)
  })

  test('loses no permit where eight ask at once', async () => {
    await keep('M-2', begun)
    await expectNoneLost(
      Array.from({ length: 8 }, () => make('M-2')),
      () => ledgerOf('M-2'),
    )
  })
}

/** What happened to the store of a rate limit that gives no permit. */
async function whyAway(make: (onStoreAway: (reason: unknown) => void) => Limiter): Promise<string> {
  const reasons: unknown[] = []
  const ending = new AbortController()
  const limit = make((reason) => {
    reasons.push(reason)
    ending.abort('enough')
  })
  await expect(limit.acquire(ending.signal, customer)).rejects.toBe('enough')
  return String(reasons)
}

describeWith('redis', 'a rate limit in Redis', () => {
  const engine = ownRedis()
  const { redis, prefix } = engine
  afterAll(() => engine[Symbol.asyncDispose]())
  const keyOf = (name: string) => `${prefix}:ledger:{${name}}`
  const ledgerOf = async (name: string) => JSON.parse((await redis.get(keyOf(name))) ?? '{}')
  const keep = (name: string, text: string | Buffer) => redis.set(keyOf(name), text)
  const optionsOf = (name: string) => ({ connection: redis, prefix, name })
  testRateLimit({
    ledgerOf,
    keep,
    make(name, { processes, onReply } = {}) {
      const connection = {
        call: async (command: string, ...args: string[]) => {
          const reply = await redis.call(command, ...args)
          onReply?.(reply)
          return reply
        },
      }
      return redisRateLimit({ ...optionsOf(name), connection, processes })
    },
  })

  test('is shared between ioredis and node-redis', async () => {
    await keep('M-3', begun)
    const connection = await createClient({ url: redisUrl }).connect()
    const other = redisRateLimit({ ...optionsOf('M-3'), connection })
    await expectShared(redisRateLimit(optionsOf('M-3')), other, () => ledgerOf('M-3'))
    connection.destroy()
    expect(await redis.pttl(keyOf('M-3'))).toBeGreaterThan(3_600_000)
  })

  test('without a name is one for each account, and of another name another one', async () => {
    const limit = redisRateLimit({ connection: redis, prefix })
    await Promise.all(['one', 'other', 'default'].map((name) => keep(name, begun)))
    const [one, other] = ['one', 'other'].map((account) => limit.forAccount?.(account))
    for (let n = 0; n < 10; n++) await one?.acquire(never(), customer)
    await other?.acquire(never(), customer)
    await limit.acquire(never(), customer)
    const [ofOne, ...ofOthers] = await Promise.all(['one', 'other', 'default'].map(ledgerOf))
    // More than were taken where a slot was due while this process stood still.
    expect(ofOne.count).toBeGreaterThanOrEqual(10)
    for (const { count } of ofOthers) expect(count).toBeLessThan(10)
    // The same client made again in this process has the same.
    expect(limit.forAccount?.('one')).toBe(one)
  })

  test('begins anew where the place of its ledger holds bytes, or no text at all', async () => {
    await keep('bytes', Buffer.from('\xff\xfe', 'latin1'))
    await redis.rpush(keyOf('list'), 'one')
    for (const name of ['bytes', 'list']) {
      await redisRateLimit({ ...optionsOf(name), processes: 1 }).acquire(never(), customer)
      expect((await ledgerOf(name)).count).toBeGreaterThanOrEqual(1)
    }
  })

  test('begins nothing where it may not read, or every process would have a ledger of its own', async () => {
    const name = `writer-${process.pid}`
    await redis.call('ACL', 'SETUSER', name, 'on', 'nopass', '~*', '+@all', '-getrange')
    const connection = redis.duplicate({ username: name, password: 'any' })
    const make = (onStoreAway: (reason: unknown) => void) =>
      redisRateLimit({ ...optionsOf('unread'), connection, onStoreAway })
    expect(await whyAway(make)).toMatch(/permission|can't run/i)
    expect(await redis.exists(keyOf('unread'))).toBe(0)
    connection.disconnect()
    await redis.call('ACL', 'DELUSER', name)
  })

  test('comes back after SCRIPT FLUSH', async () => {
    const sent: string[] = []
    const connection = {
      call: (command: string, ...args: string[]) => {
        sent.push(command)
        // What Redis says when it doesn't know the script.
        if (command === 'EVALSHA' && sent.length === 1) return redis.call('EVALSHA', 'f'.repeat(40), '0')
        return redis.call(command, ...args)
      },
    }
    await keep('M-5', begun)
    await redisRateLimit({ ...optionsOf('M-5'), connection }).acquire(never(), customer)
    expect(sent.slice(0, 2)).toEqual(['EVALSHA', 'EVAL'])
  })
})

describe('over Redis', () => {
  test('a cluster of node-redis is told the key, and that the script writes', async () => {
    const told: unknown[] = []
    const connection: RedisConnection = {
      masters: [],
      sendCommand: async (key: unknown, isReadonly: unknown, [command]: (string | Buffer)[]) => {
        told.push([key, isReadonly, command])
        return told.length === 1 ? [Date.now(), begun, 'sha'] : 1
      },
    }
    await redisRateLimit({ connection, name: 'M-1' }).acquire(never(), customer)
    const call = ['merchant-gateway:ledger:{M-1}', false, 'EVALSHA']
    expect(told).toEqual([call, call])
  })

  test('a connection to nothing makes the store away', async () => {
    const connection = new Redis('redis://127.0.0.1:1', { maxRetriesPerRequest: 0, retryStrategy: () => 10 })
    connection.on('error', () => undefined)
    const make = (onStoreAway: (reason: unknown) => void) =>
      redisRateLimit({ connection, name: 'M-1', storeTimeoutMs: 50, onStoreAway })
    expect(await whyAway(make)).not.toBe('')
    connection.disconnect()
  })
})

describeWith('postgres', 'a rate limit in PostgreSQL', () => {
  let engine: Awaited<ReturnType<typeof ownPostgres>>
  beforeAll(async () => {
    engine = await ownPostgres()
    // Also where it is there.
    for (let n = 0; n < 2; n++) await engine.pool.query(schemaSql({ schema: engine.schema }))
  })
  afterAll(() => engine[Symbol.asyncDispose]())
  const tableOf = () => `${engine.schema}.merchant_gateway_ledger`
  testRateLimit({
    keep: (name, text) =>
      engine.pool.query(`INSERT INTO ${tableOf()} VALUES ($1, 1, $2, now())`, [name, text]),
    async ledgerOf(name) {
      const { rows } = await engine.pool.query(`SELECT text FROM ${tableOf()} WHERE key = $1`, [name])
      return JSON.parse(rows[0]?.text ?? '{}')
    },
    make(name, { processes, onReply } = {}) {
      const connection = {
        query: async (text: string, values?: unknown[]) => {
          const reply = await engine.pool.query(text, values)
          onReply?.(reply.rows)
          return reply
        },
      }
      return postgresRateLimit({ connection, schema: engine.schema, name, processes })
    },
  })

  test('is away while its table is missing', async () => {
    const make = (onStoreAway: (reason: unknown) => void) =>
      postgresRateLimit({ connection: engine.pool, schema: 'nowhere', name: 'M-1', onStoreAway })
    expect(await whyAway(make)).toContain('nowhere')
  })

  test('has tables that eight processes make which start together', async () => {
    for (let n = 0; n < 5; n++) {
      await using own = await ownPostgres()
      const clients = Array.from({ length: 8 }, () => new pg.Client({ connectionString: databaseUrl }))
      try {
        await Promise.all(clients.map((client) => client.connect()))
        await Promise.all(clients.map((client) => client.query(schemaSql({ schema: own.schema }))))
      } finally {
        await Promise.all(clients.map((client) => client.end()))
      }
    }
  })
})
