// @ts-check
// Budgets of 10,000 merchants on one Redis: calls a second, how long a call takes, and what of a core Redis uses.
import { Redis } from 'ioredis'
import { privatePostgres, privateRedis } from '../processes/engines.mjs'
import { WorkerProcess } from '../support/processes.mjs'
import { usageOf } from './support.mjs'

const worker = 'scale/workers/budget-load.mjs'

/** @param {{ quick: boolean }} options */
export async function measureBudgets({ quick }) {
  const merchants = quick ? 1000 : 10_000
  const seconds = quick ? 2 : 10
  return [
    ...(await overRedis({ merchants, seconds })),
    ...(await overPostgres({ merchants: quick ? 200 : 1000, seconds })),
  ]
}

/** @param {{ merchants: number, seconds: number }} how */
async function overRedis({ merchants, seconds }) {
  const engine = await privateRedis()
  const redis = new Redis(engine.url)
  const empty = await usageOf(redis)
  const loads = [0, 1].map(() => new WorkerProcess(worker, { args: [engine.url, String(merchants)] }))
  try {
    const [one, other] = loads
    if (one === undefined || other === undefined) throw new Error('no workers')
    await Promise.all(loads.map((load) => load.answer()))
    await one.ask({ warm: true })
    const filled = await usageOf(redis)
    const figures = [
      {
        what: `budgets of ${merchants} merchants in Redis: memory for each`,
        value: (filled.bytes - empty.bytes) / merchants,
        unit: ' B',
      },
    ]
    for (const rate of [1000, 2500, 5000]) {
      const before = await usageOf(redis)
      const seen = await one.ask({ rate, seconds })
      const after = await usageOf(redis)
      const at = `${rate} permits a second wanted of one process`
      figures.push(
        { what: `${at}: permits a second`, value: seen.perSecond, unit: '' },
        { what: `${at}: calls of the store for each`, value: seen.calls / seen.permits, unit: '' },
        { what: `${at}: a call takes, 50th in a hundred`, value: seen.p50, unit: ' ms' },
        { what: `${at}: a call takes, 99th in a hundred`, value: seen.p99, unit: ' ms' },
        {
          what: `${at}: CPU of Redis, of a core`,
          value: (after.cpuMs - before.cpuMs) / (seconds * 10),
          unit: ' %',
        },
        {
          what: `${at}: CPU of the process for each`,
          value: (1000 * seen.cpuMs) / seen.permits,
          unit: ' µs',
        },
      )
    }
    const before = await usageOf(redis)
    const both = await Promise.all(loads.map((load) => load.ask({ rate: 0, seconds })))
    const after = await usageOf(redis)
    const calls = both.reduce((sum, { calls }) => sum + calls, 0)
    const redisMs = after.cpuMs - before.cpuMs
    figures.push(
      {
        what: 'two processes, 64 calls under way each: permits a second',
        value: both.reduce((sum, { perSecond }) => sum + perSecond, 0),
        unit: '',
      },
      {
        what: 'the same: a call takes, 99th in a hundred',
        value: Math.max(...both.map(({ p99 }) => p99)),
        unit: ' ms',
      },
      {
        what: 'the same: budgets that took Redis for away',
        value: both.reduce((sum, { away }) => sum + away, 0),
        unit: '',
      },
      { what: 'the same: CPU of Redis, of a core', value: redisMs / (seconds * 10), unit: ' %' },
      { what: 'the same: CPU of Redis for each call', value: (1000 * redisMs) / calls, unit: ' µs' },
      {
        what: 'the same: CPU of the processes for each permit',
        value:
          (1000 * both.reduce((sum, { cpuMs }) => sum + cpuMs, 0)) /
          both.reduce((sum, { permits }) => sum + permits, 0),
        unit: ' µs',
      },
    )
    return figures
  } finally {
    redis.disconnect()
    await Promise.all(loads.map((load) => load.end()))
    await engine.end()
  }
}

/** @param {{ merchants: number, seconds: number }} how */
async function overPostgres({ merchants, seconds }) {
  const engine = await privatePostgres()
  const load = new WorkerProcess(worker, { args: [engine.url, String(merchants), 'postgres'] })
  try {
    await load.answer()
    await load.ask({ warm: true })
    const seen = await load.ask({ rate: 0, seconds })
    const at = `budgets of ${merchants} merchants in PostgreSQL, 10 connections`
    return [
      { what: `${at}: permits a second`, value: seen.perSecond, unit: '' },
      { what: `${at}: a call takes, 99th in a hundred`, value: seen.p99, unit: ' ms' },
    ]
  } finally {
    await load.end()
    await engine.end()
  }
}
