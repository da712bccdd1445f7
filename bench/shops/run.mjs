// @ts-check
// From paid to known, by what a shop's customers feel: one process with the client's own limiter beside several that
// share rate limit and de-duplication by Redis, as docs/many-processes.md builds them; on a quiet machine and beside
// busy loops. `node bench/shops/run.mjs` after `npm run build`; with `--rates 3 --seconds 10 --processes 4 --busy 0`
// for less of it. Wants a Redis (REDIS_URL, or the local one).
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { createSandbox } from 'merchant-gateway-sandbox'
import { endAll, WorkerProcess } from '../support/processes.mjs'
import { percentile } from '../support/stats.mjs'

const { values } = parseArgs({
  options: {
    rates: { type: 'string', default: '2,3,4,6' },
    processes: { type: 'string', default: '1,4' },
    busy: { type: 'string', default: '0,6' },
    seconds: { type: 'string', default: '60' },
  },
})
const numbers = (/** @type {string} */ text) => text.split(',').map(Number)
const seconds = Number(values.seconds)
const redisUrl = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379'

/** Orders come for so long, and then none: whoever is not known to be paid is waited for. */
async function measure({ rate = 1, processes = 1 }) {
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
  Object.assign(process.env, {
    GATEWAY_BASE_URL: url,
    GATEWAY_MERCHANT_CODE: name,
    GATEWAY_LIVE: 'false',
    GATEWAY_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    GATEWAY_CALLBACK_SECRET: randomBytes(32).toString('base64'),
    REDIS_URL: redisUrl,
    PROCESSES: String(processes),
  })
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
    const ids = Array.from({ length: rate * seconds }, (_, n) => `order-${n}`)
    const began = performance.now()
    for (const [n, order] of ids.entries()) {
      await sleep(Math.max(0, began + (n * 1000) / rate - performance.now()))
      workers[n % processes]?.send({ order })
    }
    const endedAt = Date.now()
    while (known.size < ids.length && Date.now() < endedAt + 90_000) await sleep(100)
    // Callbacks that were answered 503 come again.
    await sleep(3000)
    const paidAt = (/** @type {string} */ id) =>
      sandbox.payins.find(id)?.history.find(({ status }) => status === 'SUCCESS')?.at ?? Number.NaN
    const waits = ids.map((id) => (known.get(id) ?? Date.now()) - paidAt(id))
    const statuses = sandbox.callbacks.map(({ response }) => response)
    const lookups = sandbox.requests.filter(({ method, route }) => method === 'GET' && route?.includes('{id'))
    return {
      known: `${known.size} of ${ids.length}`,
      median: percentile(waits, 0.5) / 1000,
      p95: percentile(waits, 0.95) / 1000,
      // From the end of the cause, which is when the last was paid.
      over: (Math.max(...known.values()) - Math.max(...ids.map(paidAt))) / 1000,
      refused: `${statuses.filter((status) => status === 503).length} of ${statuses.length}`,
      lookups: lookups.length,
      tooMany: sandbox.requests.filter(({ status }) => status === 429).length,
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

/** Somebody else's work on this machine: loops without end, until the function that this gives is called. */
function busyLoops(count = 0) {
  const loops = Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  const end = () => {
    for (const loop of loops) loop.kill()
  }
  process.once('exit', end)
  return () => {
    process.off('exit', end)
    end()
  }
}

console.log(
  '| orders a second | busy loops | processes | known to be paid | median | p95 | last one after the last was paid | callbacks answered 503 | status requests | 429s |',
)
console.log('|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|')
try {
  for (const rate of numbers(values.rates)) {
    for (const busy of numbers(values.busy)) {
      for (const processes of numbers(values.processes)) {
        const endLoops = busyLoops(busy)
        const { known, median, p95, over, refused, lookups, tooMany } = await measure({
          rate,
          processes,
        }).finally(endLoops)
        const times = [median, p95, over].map((each) => `${each.toFixed(1)} s`)
        const cells = [rate, busy, processes, known, ...times, refused, lookups, tooMany]
        console.log(`| ${cells.join(' | ')} |`)
      }
    }
  }
} finally {
  await endAll()
}
