import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { vi } from 'vitest'
import { paymentQueue, type QueueConnection, type QueueStoreOptions } from '../../../src/jobs/bullmq/index.js'
import type { PaymentToSend } from '../../../src/jobs/index.js'
import { databaseUrl, ownName, redisUrl } from '../../support/engines.js'

/** A payout of a test: ids and amounts by number, so that each line can be told from the others. */
export function payout(number: number, idPayout = `payout-${number}`): PaymentToSend<'payout'> {
  return {
    idPayout,
    paymentRequested: { money: { amount: 1000 + number, currencyCode: 'EUR' } },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      paymentOperatorCode: 'HARBOUR',
      account: { accountName: `Canary Name ${number}`, accountNumber: `CANARY${1_000_000 + number}` },
    },
  }
}

export function* payouts(count: number): Generator<PaymentToSend<'payout'>> {
  for (let number = 1; number <= count; number++) yield payout(number)
}

/** Options of a queue that no other test has, and what its store holds. */
export interface OwnStore extends AsyncDisposable {
  readonly options: QueueStoreOptions & { readonly connection: QueueConnection }
  /** All that the store holds for it, as one text. */
  contents(): Promise<string>
  /** Writes over a job what is no job's data, in a way that BullMQ itself would not. */
  spoil(queue: string, jobId: string): Promise<void>
}

export async function ownStore(engine: 'redis' | 'postgres'): Promise<OwnStore> {
  return engine === 'redis' ? redisStore() : postgresStore()
}

function redisStore(): OwnStore {
  const redis = new Redis(redisUrl)
  const prefix = ownName()
  const keys = () => redis.keys(`${prefix}:*`)
  return {
    options: { connection: redisUrl, prefix },
    async contents() {
      const found = await Promise.all(
        (await keys()).map(async (key) => {
          const type = await redis.type(key)
          if (type === 'hash') return redis.hgetall(key)
          if (type === 'stream') return redis.xrange(key, '-', '+')
          if (type === 'zset') return redis.zrange(key, '0', '-1')
          if (type === 'list') return redis.lrange(key, '0', '-1')
          if (type === 'set') return redis.smembers(key)
          return redis.get(key)
        }),
      )
      return JSON.stringify([await keys(), found])
    },
    spoil: async (queue, jobId) => void (await redis.hset(`${prefix}:${queue}:${jobId}`, 'data', '{torn')),
    async [Symbol.asyncDispose]() {
      const found = await keys()
      for (let from = 0; from < found.length; from += 1000) await redis.del(...found.slice(from, from + 1000))
      redis.disconnect()
    },
  }
}

async function postgresStore(): Promise<OwnStore> {
  const schema = ownName()
  const pool = new Pool({ connectionString: databaseUrl, max: 2 })
  const connection = { postgres: databaseUrl, schema }
  const account = { account: 'nobody', deriveKey: () => Buffer.alloc(32, 1) }
  const queue = await paymentQueue(account, 'payout', { connection, migrate: true })
  await queue.close()
  return {
    options: { connection },
    async contents() {
      const { rows } = await pool.query(
        'SELECT table_name FROM information_schema.tables WHERE table_schema = $1',
        [schema],
      )
      const tables = await Promise.all(
        rows.map(({ table_name }) =>
          pool.query(`SELECT to_jsonb(t) AS row FROM "${schema}"."${table_name}" t`),
        ),
      )
      return JSON.stringify(tables.map((table) => table.rows))
    },
    spoil: async (queue, jobId) =>
      void (await pool.query(`UPDATE "${schema}".job SET data = '"torn"' WHERE queue = $1 AND id = $2`, [
        queue,
        jobId,
      ])),
    async [Symbol.asyncDispose]() {
      await pool.query(`DROP SCHEMA "${schema}" CASCADE`)
      await pool.end()
    },
  }
}

/** Asks until it is so, or too long: turns of the event loop alone would take the processor from the engine. */
export const until = (isSo: () => Promise<boolean> | boolean) =>
  vi.waitUntil(isSo, { timeout: 10_000, interval: 10 })

/** All that an iterable gives. */
export async function collect<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of iterable) all.push(one)
  return all
}
