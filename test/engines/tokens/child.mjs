// One process of a merchant: it shares its token by the engine that it is told, and does what it is sent.
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { GatewayClient } from '../../../dist/index.js'
import { postgresTokenStore } from '../../../dist/postgres/index.js'
import { redisTokenStore } from '../../../dist/redis/index.js'

const { engine, url, place, encryptionKey, clockAheadMs, options } = JSON.parse(process.argv[2] ?? '{}')
const now = Date.now
Date.now = () => now() + clockAheadMs

const encryptionKeys = [encryptionKey]
const shared = engine === 'redis' ? overRedis() : overPostgres()
const client = new GatewayClient({ ...options, tokenStore: shared.tokenStore })

const payin = {
  idPayin: 'order-1',
  paymentRequested: { money: { amount: '10.50', currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'VAPAY' },
}

/** @type {Record<string, () => Promise<unknown>>} */
const tasks = {
  create: () => client.payins.create(payin),
  look: () => client.payins.retrieve('order-1'),
  end: async () => {
    await client.close()
    await shared.close()
    process.disconnect()
  },
}
process.on('message', async (/** @type {{ task: string }} */ { task }) => {
  try {
    await tasks[task]?.()
    if (process.connected) process.send?.({ done: task })
  } catch (error) {
    process.send?.({ failed: String(error) })
  }
})
process.send?.({ done: 'start' })

function overRedis() {
  const connection = new Redis(url, { maxRetriesPerRequest: 1 })
  connection.on('error', () => {})
  return {
    tokenStore: redisTokenStore({ connection, encryptionKeys, prefix: place }),
    close: async () => connection.disconnect(),
  }
}

function overPostgres() {
  const pool = new Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  return {
    tokenStore: postgresTokenStore({ connection: pool, encryptionKeys, schema: place }),
    close: () => pool.end(),
  }
}
