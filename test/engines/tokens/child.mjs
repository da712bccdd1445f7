// One process of a merchant: it shares its token by the engine that it is told, and does what it is sent.
import { Redis } from 'ioredis'
import { Pool } from 'pg'
import { CallbackReceiver } from '../../../dist/callbacks/index.js'
import { GatewayClient } from '../../../dist/index.js'
import { postgresBroadcast, postgresTokenStore } from '../../../dist/postgres/index.js'
import { redisBroadcast, redisTokenStore } from '../../../dist/redis/index.js'

const { engine, url, place, encryptionKey, clockAheadMs, options } = JSON.parse(process.argv[2] ?? '{}')
const now = Date.now
Date.now = () => now() + clockAheadMs

const encryptionKeys = [encryptionKey]
const shared = engine === 'redis' ? overRedis() : overPostgres()
const client = new GatewayClient({ ...options, tokenStore: shared.tokenStore })
const callbacks = new CallbackReceiver({
  client,
  publicUrl: 'https://shop.example/callbacks',
  secrets: ['a-secret-of-32-bytes-for-many-processes'],
  broadcast: shared.broadcast,
})

const payin = {
  idPayin: 'order-1',
  paymentRequested: { money: { amount: '10.50', currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'VAPAY' },
}

/** @type {Record<string, (about: string) => Promise<unknown>>} */
const tasks = {
  create: () => client.payins.create(payin),
  callback: (url) => callbacks.receive(url),
  look: () => client.payins.retrieve('order-1'),
  wait: () => client.payins.waitFor('order-1', { maxWaitMs: 60_000 }),
  end: async () => {
    await client.close()
    await shared.close()
    process.disconnect()
  },
}
process.on('message', async (/** @type {{ task: string, about: string }} */ { task, about }) => {
  try {
    await tasks[task]?.(about)
    if (process.connected) process.send?.({ done: task })
  } catch (error) {
    process.send?.({ failed: String(error) })
  }
})
process.send?.({ done: 'start' })

function overRedis() {
  const connection = new Redis(url, { maxRetriesPerRequest: 1 })
  const subscriber = connection.duplicate()
  for (const one of [connection, subscriber]) one.on('error', () => {})
  return {
    tokenStore: redisTokenStore({ connection, encryptionKeys, prefix: place }),
    broadcast: redisBroadcast({ connection, subscriber, prefix: place }),
    close: async () => {
      connection.disconnect()
      subscriber.disconnect()
    },
  }
}

function overPostgres() {
  const pool = new Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  const broadcast = postgresBroadcast({ pool, channel: place })
  return {
    tokenStore: postgresTokenStore({ connection: pool, encryptionKeys, schema: place }),
    broadcast,
    close: async () => {
      await broadcast.close()
      await pool.end()
    },
  }
}
