// @ts-check
// Two shops, by what their customers feel: one process with the client's own limiter, and four that share budget,
// token and `seen` by Redis, as docs/many-processes.md builds them. `node bench/shops/run.mjs` after `npm run build`;
// with `--rates 3 --seconds 10 --shops 4` for less of it. Wants a Redis (REDIS_URL, or the local one).
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { createSandbox } from 'merchant-gateway-sandbox'
import { percentile } from '../scale/support.mjs'
import { endAll, WorkerProcess } from '../support/processes.mjs'

const { values } = parseArgs({
  options: {
    rates: { type: 'string', default: '1,3,5,8' },
    shops: { type: 'string', default: '1,4' },
    seconds: { type: 'string', default: '30' },
  },
})
const seconds = Number(values.seconds)
const redisUrl = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'

/** @param {{ rate: number, processes: number }} options */
async function measure({ rate, processes }) {
  const name = `shops-${randomUUID()}`
  /** @type {WorkerProcess[]} */
  const workers = []
  /** @type {number[]} */
  const ports = []
  const sandbox = createSandbox({
    merchantCode: name,
    payAfterMs: 2000,
    payJitterMs: 3000,
    // A load balancer in front of the processes.
    deliver: async ({ url, method, headers, body, signal }) => {
      const port = ports[Math.floor(Math.random() * ports.length)]
      const to = `http://127.0.0.1:${port}${new URL(url).pathname}`
      const { status } = await fetch(to, { method, headers, body, signal })
      return { status }
    },
  })
  const { url } = await sandbox.listen()
  const { privateKey } = sandbox.clientOptions()
  const env = {
    GATEWAY_BASE_URL: url,
    GATEWAY_MERCHANT_CODE: name,
    GATEWAY_LIVE: 'false',
    GATEWAY_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    GATEWAY_CALLBACK_SECRET: randomBytes(32).toString('base64'),
    REDIS_URL: redisUrl,
    PROCESSES: String(processes),
  }
  Object.assign(process.env, env)
  /** When each was known to be paid. @type {Map<string, number>} */
  const known = new Map()
  try {
    for (let n = 0; n < processes; n++) {
      const worker = new WorkerProcess('shops/shop.mjs')
      const { port } = await worker.answer()
      worker.onMessage(({ paid, at }) => known.set(paid, known.get(paid) ?? at))
      workers.push(worker)
      ports.push(port)
    }
    const orders = rate * seconds
    const began = performance.now()
    for (let n = 0; n < orders; n++) {
      await sleep(Math.max(0, began + (n * 1000) / rate - performance.now()))
      workers[n % processes]?.send({ order: `order-${n}` })
    }
    for (const end = performance.now() + 90_000; known.size < orders && performance.now() < end; )
      await sleep(100)
    // Callbacks that were answered 503 come again.
    await sleep(3000)

    const waits = Array.from({ length: orders }, (_, n) => `order-${n}`).flatMap((id) => {
      const paid = sandbox.payins.find(id)?.history.find(({ status }) => status === 'SUCCESS')
      return paid === undefined ? [] : [(known.get(id) ?? Date.now()) - paid.at]
    })
    const delivered = sandbox.callbacks.filter(({ response = 0 }) => response >= 200 && response < 300)
    const routes = sandbox.requests.map(({ method, route }) => `${method} ${route}`)
    return {
      orders,
      known: known.size,
      p50: percentile(waits, 0.5) / 1000,
      p99: percentile(waits, 0.99) / 1000,
      delivered: new Set(delivered.map(({ id, paymentStatus }) => `${id} ${paymentStatus}`)).size,
      lookUps: routes.filter((route) => route.startsWith('GET ') && route.includes('{idPayin}')).length,
      refused: sandbox.requests.filter(({ status }) => status === 429).length,
    }
  } finally {
    for (const worker of workers) await worker.end()
    await sandbox.close()
    await forget(name)
  }
}

/** What the shop has left in Redis. @param {string} name */
async function forget(name) {
  const redis = new Redis(redisUrl)
  const left = await redis.keys(`*${name}*`)
  if (left.length > 0) await redis.del(left)
  redis.disconnect()
}

console.log(
  '| orders a second | processes | known to be paid | p50 | p99 | callbacks delivered | look-ups | 429s |',
)
console.log('|--:|--:|--:|--:|--:|--:|--:|--:|')
try {
  for (const rate of values.rates.split(',').map(Number)) {
    for (const processes of values.shops.split(',').map(Number)) {
      const { orders, known, p50, p99, delivered, lookUps, refused } = await measure({ rate, processes })
      const times = `${p50.toFixed(1)} s | ${p99.toFixed(1)} s`
      const counts = `${delivered} of ${2 * orders} | ${lookUps} | ${refused}`
      console.log(`| ${rate} | ${processes} | ${known} of ${orders} | ${times} | ${counts} |`)
    }
  }
} finally {
  await endAll()
}
