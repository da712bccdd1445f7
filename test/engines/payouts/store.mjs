// @ts-check
// BullMQ's own queue and worker on either store, under a name that nobody else has.
import { createPostgresBackend, Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import pg from 'pg'

const redisUrl = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'
const databaseUrl = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** @typedef {{ engine: 'redis' | 'postgres', name: string }} Place */

/** @param {Place} place */
export function openQueue({ engine, name }) {
  if (engine === 'redis') return new Queue('payouts', { connection: { url: redisUrl }, prefix: name })
  const connection = { connectionString: databaseUrl, schema: name, migrate: true }
  return new Queue('payouts', { connection }, createPostgresBackend)
}

/** @param {Place} place @param {import('bullmq').Processor} process @param {object} options */
export function openWorker({ engine, name }, process, options) {
  if (engine === 'redis') {
    return new Worker('payouts', process, { connection: { url: redisUrl }, prefix: name, ...options })
  }
  const connection = { connectionString: databaseUrl, schema: name }
  return new Worker('payouts', process, { connection, ...options }, createPostgresBackend)
}

/** @param {Place} place */
export async function dropAll({ engine, name }) {
  if (engine === 'redis') {
    const redis = new Redis(redisUrl)
    for await (const keys of redis.scanStream({ match: `${name}:*`, count: 5_000 })) {
      if (keys.length > 0) await redis.unlink(...keys)
    }
    redis.disconnect()
    return
  }
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`DROP SCHEMA "${name}" CASCADE`)
  await client.end()
}
