// @ts-check
import { postgresRateLimit } from 'merchant-gateway/postgres'
import { redisRateLimit } from 'merchant-gateway/redis'

/**
 * A budget over a connection that counts its calls.
 *
 * @param {import('./worker.mjs').Role} role
 * @param {() => void} onStoreAway
 */
export async function countedConnection({ store, url, budget, processes }, onStoreAway) {
  let made = 0
  const calls = () => made
  const options = { name: budget, processes, onStoreAway }
  if (store === 'postgres') {
    const { default: pg } = await import('pg')
    const pool = new pg.Pool({ connectionString: url, max: 2 })
    pool.on('error', () => undefined)
    const connection = {
      /** @param {string} text @param {unknown[]} [values] */
      query(text, values) {
        made++
        return pool.query(text, values)
      },
    }
    return { rateLimit: postgresRateLimit({ ...options, connection }), calls, end: () => pool.end() }
  }
  if (store === 'node-redis') {
    const { createClient } = await import('redis')
    const client = createClient({ url })
    client.on('error', () => undefined)
    await client.connect()
    const connection = {
      /** @param {(string | Buffer)[]} args */
      sendCommand(args) {
        made++
        return client.sendCommand(args)
      },
    }
    return { rateLimit: redisRateLimit({ ...options, connection }), calls, end: async () => client.destroy() }
  }
  const { Redis } = await import('ioredis')
  const redis = new Redis(url)
  redis.on('error', () => undefined)
  const connection = {
    /** @param {string} command @param {(string | Buffer)[]} args */
    call(command, ...args) {
      made++
      return redis.call(command, ...args)
    },
  }
  return { rateLimit: redisRateLimit({ ...options, connection }), calls, end: async () => redis.disconnect() }
}
