import { connect } from 'node:net'
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { describe } from 'vitest'
import { databaseUrl, ownName, redisUrl } from './engine-urls.js'

export { databaseUrl, ownName, redisUrl }

const isThere = { redis: await answers(redisUrl, 6379), postgres: await answers(databaseUrl, 5432) }

/** Tests that want an engine. Where it is not there they are skipped, and say so. */
export function describeWith(engine: 'redis' | 'postgres', name: string, tests: () => void): void {
  if (!isThere[engine]) {
    process.stderr.write(`SKIPPED, because ${engine} can't be reached: ${name}\n`)
  }
  describe.skipIf(!isThere[engine])(name, tests)
}

/** A connection to Redis, and keys of its own that are deleted with it. */
export function ownRedis() {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 1 })
  const prefix = ownName()
  const keys = () => redis.keys(`${prefix}*`)
  return {
    redis,
    prefix,
    keys,
    async [Symbol.asyncDispose]() {
      const found = await keys()
      if (found.length > 0) await redis.del(...found)
      redis.disconnect()
    },
  }
}

/** A pool, and a schema of its own that is dropped with it. */
export async function ownPostgres() {
  const pool = new Pool({ connectionString: databaseUrl, max: 4 })
  const schema = ownName()
  await pool.query(`CREATE SCHEMA ${schema}`)
  return {
    pool,
    schema,
    async [Symbol.asyncDispose]() {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`)
      await pool.end()
    },
  }
}

function answers(url: string, port: number): Promise<boolean> {
  const { hostname, port: own } = new URL(url)
  const socket = connect(own === '' ? port : Number(own), hostname)
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.setTimeout(2_000, () => resolve(false))
  }).finally(() => socket.destroy())
}
