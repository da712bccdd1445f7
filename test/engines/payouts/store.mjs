// @ts-check
// A queue that nobody else has, on either store, and the end of it.
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'
import { paymentQueue } from '../../../dist/bullmq/index.js'

const redisUrl = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'
const databaseUrl = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/**
 * @param {'redis' | 'postgres'} engine
 * @param {import('../../../dist/bullmq/index.js').PaymentAccount} client
 */
export async function ownQueue(engine, client) {
  const own = `proof_${randomBytes(6).toString('hex')}`
  const options =
    engine === 'redis'
      ? { connection: redisUrl, prefix: own }
      : { connection: { postgres: databaseUrl, schema: own } }
  const queue = await paymentQueue(client, 'payout', { ...options, migrate: true })
  return {
    queue,
    options,
    async close() {
      await queue.close()
      await (engine === 'redis' ? dropKeys(own) : dropSchema(own))
    },
  }
}

/** @param {string} prefix */
async function dropKeys(prefix) {
  const redis = new Redis(redisUrl)
  for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 5_000 })) {
    if (keys.length > 0) await redis.unlink(...keys)
  }
  redis.disconnect()
}

/** @param {string} schema */
async function dropSchema(schema) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`DROP SCHEMA "${schema}" CASCADE`)
  await client.end()
}
