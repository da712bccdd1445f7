// @ts-check
// Payouts of many merchants while one gateway hangs: with a queue and a worker for each merchant, with one queue for
// all, and with one queue in which each has its places. And what a worker costs that has nothing to do.
import { Redis } from 'ioredis'
import { privateRedis } from '../processes/engines.mjs'
import { WorkerProcess } from '../support/processes.mjs'
import { sleep, usageOf } from './support.mjs'

/** @typedef {{ form: 'queues' | 'one-queue' | 'places', hanging: number[] }} How */

/** @param {{ quick: boolean }} options */
export async function measureQueues({ quick }) {
  const merchants = quick ? 5 : 20
  const seconds = quick ? 5 : 15
  const warmUp = quick ? 5 : 20
  const each = (seconds + warmUp + 5) * 10
  /** @param {How} how */
  const rate = (how) => ratesOf({ ...how, merchants, each, seconds, warmUp })
  const healthy = await rate({ form: 'queues', hanging: [] })
  const apart = await rate({ form: 'queues', hanging: [0] })
  const together = await rate({ form: 'one-queue', hanging: [0] })
  const withPlaces = await rate({ form: 'places', hanging: [0] })
  const idle = await idleWorkers(quick ? 20 : 200, quick ? 3 : 15)
  const what = `payouts a second of each of ${merchants} merchants`
  return [
    { what: `${what}, a queue for each, all gateways well`, value: healthy, unit: '' },
    { what: `${what} but one, whose gateway hangs; a queue for each`, value: apart, unit: '' },
    { what: `${what} but one, whose gateway hangs; one queue for all`, value: together, unit: '' },
    {
      what: `${what} but one, whose gateway hangs; one queue, five places for each`,
      value: withPlaces,
      unit: '',
    },
    ...idle,
  ]
}

/**
 * Creates a second of a merchant whose gateway is well.
 *
 * @param {How & { merchants: number, each: number, seconds: number, warmUp: number }} how
 */
async function ratesOf({ form, hanging, merchants, each, seconds, warmUp }) {
  const engine = await privateRedis()
  const gateway = new WorkerProcess('scale/workers/gateway.mjs')
  const { origin } = await gateway.answer()
  await gateway.ask({ hanging, delayMs: 50 })
  const role = JSON.stringify({ url: engine.url, origin, merchants, each, form })
  const worker = new WorkerProcess('scale/workers/payout-workers.mjs', { args: [role] })
  try {
    await worker.answer()
    await sleep(warmUp * 1000)
    const before = await gateway.ask()
    await sleep(seconds * 1000)
    const after = await gateway.ask()
    const well = Array.from({ length: merchants }, (_, n) => n).filter((n) => !hanging.includes(n))
    const creates = well.map((n) => (after.of[n]?.creates ?? 0) - (before.of[n]?.creates ?? 0))
    return creates.reduce((sum, one) => sum + one, 0) / well.length / seconds
  } finally {
    await worker.end()
    await gateway.end()
    await engine.end()
  }
}

/** @param {number} merchants @param {number} seconds */
async function idleWorkers(merchants, seconds) {
  const engine = await privateRedis()
  const redis = new Redis(engine.url)
  const before = await usageOf(redis)
  const role = JSON.stringify({
    url: engine.url,
    origin: 'http://127.0.0.1:1',
    merchants,
    each: 0,
    form: 'queues',
  })
  const worker = new WorkerProcess('scale/workers/payout-workers.mjs', {
    args: [role],
    execArgv: ['--expose-gc'],
  })
  try {
    const { heapEach } = await worker.answer()
    await sleep(2000)
    const [first, one] = [await usageOf(redis), await worker.ask()]
    await sleep(seconds * 1000)
    const [last, other] = [await usageOf(redis), await worker.ask()]
    const what = `each of ${merchants} workers with nothing to do`
    return [
      {
        what: `${what}: connections to Redis`,
        value: (first.clients - before.clients) / merchants,
        unit: '',
      },
      { what: `${what}: heap`, value: heapEach / 1024, unit: ' KiB' },
      {
        what: `${what}: memory of Redis`,
        value: (last.bytes - before.bytes) / merchants / 1024,
        unit: ' KiB',
      },
      {
        what: `${what}: commands a second`,
        value: (last.commands - first.commands) / seconds / merchants,
        unit: '',
      },
      {
        what: `${what}: CPU of the process`,
        value: (1000 * (other.cpuMs - one.cpuMs)) / seconds / merchants,
        unit: ' µs a second',
      },
      {
        what: `${what}: CPU of Redis`,
        value: (1000 * (last.cpuMs - first.cpuMs)) / seconds / merchants,
        unit: ' µs a second',
      },
    ]
  } finally {
    redis.disconnect()
    await worker.end()
    await engine.end()
  }
}
