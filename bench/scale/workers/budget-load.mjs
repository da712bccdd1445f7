// @ts-check
// One process with a budget for each of many merchants over one connection. Told { rate, seconds }, it takes so many
// permits a second, of one merchant after another, whether or not the ones before have come; with the rate 0 it has
// 64 asks under way all the time.
import { setMaxListeners } from 'node:events'
import { Redis } from 'ioredis'
import { redisBudget } from 'merchant-gateway/redis'
import { cpuMs, merchantOf, percentile, sleep } from '../support.mjs'

const [url = '', merchants = '', store = 'redis'] = process.argv.slice(2)
/** @type {number[]} */
let tookMs = []
let away = 0
const never = new AbortController().signal
setMaxListeners(0, never)
const budgetOf = await (store === 'redis' ? overRedis() : overPostgres())
const budgets = Array.from({ length: Number(merchants) }, (_, n) => budgetOf(merchantOf(n)))

async function overRedis() {
  const redis = new Redis(url)
  const connection = {
    /** @param {string} command @param {(string | Buffer)[]} args */
    call: (command, ...args) => timed(() => redis.call(command, ...args)),
  }
  const budgetOf = (/** @type {string} */ name) =>
    redisBudget({ connection, name, processes: 20, onStoreAway: () => away++ })
  return budgetOf
}

async function overPostgres() {
  const { default: pg } = await import('pg')
  const { postgresBudget } = await import('merchant-gateway/postgres')
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  const connection = {
    /** @param {string} text @param {unknown[]} [values] */
    query: (text, values) => timed(() => pool.query(text, values)),
  }
  const budgetOf = (/** @type {string} */ name) =>
    postgresBudget({ connection, name, processes: 20, onStoreAway: () => away++ })
  return budgetOf
}

/** @template T @param {() => Promise<T>} call */
async function timed(call) {
  const at = performance.now()
  const result = await call()
  tookMs.push(performance.now() - at)
  return result
}

let next = Math.floor(Math.random() * budgets.length)
let permits = 0
async function take() {
  const budget = budgets[next++ % budgets.length]
  await budget?.acquire(never, { priority: 'customer' })
  budget?.sent?.()
  permits++
}

/** @param {{ rate: number, seconds: number }} run */
async function load({ rate, seconds }) {
  tookMs = []
  permits = 0
  away = 0
  const cpu = process.cpuUsage()
  const began = performance.now()
  const endAt = began + seconds * 1000
  if (rate === 0) {
    const loop = async () => {
      while (performance.now() < endAt) await take()
    }
    await Promise.all(Array.from({ length: 64 }, loop))
  } else {
    for (let due = 0; performance.now() < endAt; await sleep(2)) {
      for (; due < ((performance.now() - began) / 1000) * rate; due++) void take()
    }
  }
  const tookSeconds = (performance.now() - began) / 1000
  const calls = tookMs.length
  return {
    permits,
    calls,
    away,
    perSecond: permits / tookSeconds,
    p50: percentile(tookMs, 0.5),
    p99: percentile(tookMs, 0.99),
    cpuMs: cpuMs(cpu),
  }
}

process.on('message', async (/** @type {{ warm?: boolean, rate: number, seconds: number }} */ told) => {
  if (!told.warm) {
    process.send?.(await load(told))
    return
  }
  // Not all at once: what a store answers late is given far ahead the next time.
  for (let n = 0; n < budgets.length; n += 100) {
    const taken = budgets.slice(n, n + 100).map(async (budget) => {
      await budget.acquire(never, { priority: 'customer' })
      budget.sent?.()
    })
    void Promise.all(taken)
    await sleep(50)
  }
  await sleep(5000)
  process.send?.({ warm: true })
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })
