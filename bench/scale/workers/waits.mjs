// @ts-check
// Open waits of many merchants in one process, each merchant with its ten a second: ORIGIN MERCHANTS WAITS-OF-EACH.
// Told { start }, it opens them; { look }, it tells heap and CPU; { callbacks, rate }, it receives so many.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { merchantsOf } from '../platform.mjs'
import { cpuMs, percentile, sleep } from '../support.mjs'

const [origin = '', merchants = '', each = ''] = process.argv.slice(2)
const all = merchantsOf(origin, Number(merchants))
const waitsOfEach = Number(each)
const loopDelay = monitorEventLoopDelay({ resolution: 10 })
/** When the callback came. @type {Map<string, number>} */
const calledAt = new Map()
/** @type {number[]} */
const lateMs = []
let failed = 0

const heap = () => {
  globalThis.gc?.()
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

async function start() {
  // A token each, and a callback that brings news, so that the receivers know that callbacks arrive.
  const warm = all.map(async ({ client, receiver, pathOf }) => {
    await client.payins.retrieve('warm-0')
    await receiver.receive(pathOf('warm-0'))
  })
  await Promise.all(warm)
  const before = heap()
  for (let n = 0; n < waitsOfEach; n++) {
    for (const [m, { client }] of all.entries()) {
      const id = `wait-${m}-${n + 1}`
      client.payins.waitFor(id, { maxWaitMs: 3_600_000 }).then(
        () => lateMs.push(performance.now() - (calledAt.get(id) ?? performance.now())),
        () => failed++,
      )
    }
  }
  await sleep(500)
  const heapEach = (heap() - before) / (all.length * waitsOfEach)
  process.send?.({ heapEach })
}

/** @param {{ count: number, rate: number }} how */
async function callBack({ count, rate }) {
  const began = performance.now()
  for (let sent = 0; sent < count; await sleep(2)) {
    for (; sent < Math.min(count, ((performance.now() - began) / 1000) * rate); sent++) {
      const m = sent % all.length
      const id = `wait-${m}-${1 + Math.floor(sent / all.length)}`
      calledAt.set(id, performance.now())
      const merchant = all[m]
      if (merchant !== undefined) void merchant.receiver.receive(merchant.pathOf(id))
    }
  }
  await sleep(5000)
  // Those that a poll has found before its callback came are none of these.
  const told = lateMs.filter((ms) => ms > 0)
  process.send?.({ told: told.length, p50: percentile(told, 0.5), p99: percentile(told, 0.99), failed })
}

process.on('message', (/** @type {any} */ told) => {
  if (told.start) void start()
  else if (told.callbacks) void callBack(told.callbacks)
  else {
    process.send?.({
      heapBytes: heap(),
      rss: process.memoryUsage().rss,
      cpuMs: cpuMs(),
      loopP99: loopDelay.percentile(99) / 1e6,
    })
    loopDelay.enable()
    loopDelay.reset()
  }
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })
