// @ts-check
// Word of callbacks for 10,000 merchants of one process: over one subscriber of Redis, and one client of a pool of
// PostgreSQL. From the message to who listens, and how many connections there are.
import { Redis } from 'ioredis'
import { postgresBroadcast } from 'merchant-gateway/postgres'
import { redisBroadcast } from 'merchant-gateway/redis'
import pg from 'pg'
import { privatePostgres, privateRedis } from '../processes/engines.mjs'
import { merchantOf, percentile, sleep, usageOf } from './support.mjs'

/** @typedef {import('merchant-gateway/callbacks').CallbackBroadcast} Broadcast */

/** @param {{ quick: boolean }} options */
export async function measureBroadcasts({ quick }) {
  const merchants = Array.from({ length: quick ? 500 : 10_000 }, (_, n) => merchantOf(n))
  return [...(await overRedis(merchants)), ...(await overPostgres(merchants))]
}

/** @param {readonly string[]} merchants */
async function overRedis(merchants) {
  const engine = await privateRedis()
  const clients = Array.from({ length: 4 }, () => new Redis(engine.url))
  const [connection, subscriber, otherConnection, otherSubscriber] = clients
  try {
    if (!connection || !subscriber || !otherConnection || !otherSubscriber) throw new Error('no clients')
    const listening = merchants.map((prefix) => redisBroadcast({ connection, subscriber, prefix }))
    const telling = merchants.map((prefix) =>
      redisBroadcast({ connection: otherConnection, subscriber: otherSubscriber, prefix }),
    )
    const seen = await told(listening, telling)
    const { clients: connected } = await usageOf(connection)
    // The other two are those of whoever tells.
    return figures('Redis', merchants, { ...seen, connections: connected - 2 })
  } finally {
    for (const client of clients) client.disconnect()
    await engine.end()
  }
}

/** @param {readonly string[]} merchants */
async function overPostgres(merchants) {
  const engine = await privatePostgres()
  const [pool, other] = [0, 1].map(() => new pg.Pool({ connectionString: engine.url, max: 10 }))
  try {
    if (!pool || !other) throw new Error('no pools')
    const channels = merchants.map((code) => `callbacks_${code.replace('-', '_')}`)
    const listening = channels.map((channel) => postgresBroadcast({ pool, channel }))
    const telling = channels.map((channel) => postgresBroadcast({ pool: other, channel }))
    const seen = await told(listening, telling)
    const result = figures('PostgreSQL', merchants, { ...seen, connections: pool.totalCount })
    await Promise.all(listening.map((one) => one.close()))
    return result
  } finally {
    await Promise.all([pool?.end(), other?.end()])
    await engine.end()
  }
}

/** @param {readonly Broadcast[]} listening @param {readonly Broadcast[]} telling */
async function told(listening, telling) {
  /** @type {Map<string, number>} */
  const heardAt = new Map()
  const began = performance.now()
  for (const [n, one] of listening.entries()) {
    one.subscribe(({ id }) => heardAt.set(`${n} ${id}`, performance.now()))
  }
  const last = listening.length - 1
  while (!heardAt.has(`${last} first`)) {
    await telling[last]?.publish({ kind: 'payin', id: 'first' })
    await sleep(20)
  }
  const readyMs = performance.now() - began
  /** @type {number[]} */
  const tookMs = []
  for (let n = 0; n < 1000; n++) {
    const m = (n * 7919) % listening.length
    const at = performance.now()
    await telling[m]?.publish({ kind: 'payin', id: `order-${n}` })
    while (!heardAt.has(`${m} order-${n}`)) await sleep(0)
    tookMs.push((heardAt.get(`${m} order-${n}`) ?? 0) - at)
  }
  return { readyMs, p50: percentile(tookMs, 0.5), p99: percentile(tookMs, 0.99) }
}

/**
 * @param {string} engine
 * @param {readonly string[]} merchants
 * @param {{ readyMs: number, p50: number, p99: number, connections: number }} seen
 */
function figures(engine, merchants, { readyMs, p50, p99, connections }) {
  const what = `broadcasts of ${merchants.length} merchants in one process, over ${engine}`
  return [
    { what: `${what}: connections of that process`, value: connections, unit: '' },
    { what: `${what}: all listen after`, value: readyMs, unit: ' ms' },
    { what: `${what}: from the message to the listener, 50th in a hundred`, value: p50, unit: ' ms' },
    { what: `${what}: 99th in a hundred`, value: p99, unit: ' ms' },
  ]
}
