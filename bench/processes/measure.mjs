// @ts-check
import { WorkerProcess } from '../support/processes.mjs'
import { privatePostgres, privateRedis } from './engines.mjs'

/** @typedef {import('./worker.mjs').Role} Role */
/** @typedef {Awaited<ReturnType<typeof privateRedis>>} Engine */
/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {(index: number) => Partial<Role>} [role] what one of the eight does differently
 * @property {Partial<Role>} [web] one more process, whose creates are waited for
 * @property {(all: { engine: Engine, gateway: WorkerProcess, seconds: number, replace: (index: number) => Promise<void> }) => Promise<void>} [disturb] `replace` kills one of the eight, and starts another in its place
 * @property {boolean} [isCold] whether all begin as soon as they are there
 */
/** @typedef {Awaited<ReturnType<typeof measure>>} Measured */

const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Not counted in rates: the wait of a budget that begins, its first window of ten, and connections that open. */
const warmUpMs = 4000

/**
 * Eight processes that want more than there is.
 *
 * @param {Scenario} scenario
 * @param {{ store: Role['store'], seconds: number, processes?: number }} how
 */
export async function measure(scenario, { store, seconds, processes = 8 }) {
  const engine = store === 'postgres' ? await privatePostgres() : await privateRedis()
  const gateway = new WorkerProcess('processes/gateway.mjs')
  /** @type {WorkerProcess[]} */
  const workers = []
  try {
    const { origin } = await gateway.answer()
    /** @type {Role} */
    const base = {
      name: '',
      origin,
      store,
      url: engine.url,
      budget: 'M-0001',
      processes: processes + (scenario.web === undefined ? 0 : 1),
      priority: 'customer',
      concurrency: 3,
    }
    const start = (/** @type {Role} */ role) =>
      new WorkerProcess('processes/worker.mjs', { args: [JSON.stringify(role)] })
    const roleOf = (/** @type {number} */ n) => ({ ...base, name: `p${n}`, ...scenario.role?.(n) })
    for (let n = 0; n < processes; n++) workers.push(start(roleOf(n)))
    if (scenario.web !== undefined) {
      workers.push(start({ ...base, name: 'web', concurrency: 1, ...scenario.web }))
    }
    const replace = async (/** @type {number} */ n) => {
      await workers[n]?.kill()
      const worker = start(roleOf(n))
      workers[n] = worker
      await worker.answer()
      worker.send({ go: true })
    }
    const ready = workers.map(async (worker) => {
      await worker.answer()
      if (scenario.isCold) worker.send({ go: true })
    })
    await Promise.all(ready)
    if (!scenario.isCold) for (const worker of workers) worker.send({ go: true })
    const [{ now: startedAt }] = [await gateway.ask({ report: true })]
    await Promise.all([wait(seconds * 1000), scenario.disturb?.({ engine, gateway, seconds, replace })])
    const { now: endedAt } = await gateway.ask({ report: true })
    const told = await Promise.all(workers.map((worker) => worker.ask({ stop: true })))
    await wait(200)
    const { arrivals, refused } = await gateway.ask({ report: true })
    return summary({ arrivals, refused, told, startedAt, endedAt, processes })
  } finally {
    await Promise.all([...workers, gateway].map((one) => one.end()))
    await engine.end()
  }
}

/**
 * @param {{
 *   arrivals: { at: number, who: string }[], refused: number, startedAt: number, endedAt: number, processes: number,
 *   told: { calls: number, waits: number[], failures: string[], storeAway: number }[],
 * }} all
 */
function summary({ arrivals, refused, told, startedAt, endedAt, processes }) {
  const times = arrivals.map(({ at }) => at).sort((a, b) => a - b)
  const inSecond = times.map((from, n) => {
    let count = 0
    while (n + count < times.length && (times[n + count] ?? 0) < from + 1000) count++
    return count
  })
  const steady = arrivals.filter(({ at }) => at >= startedAt + warmUpMs && at < endedAt)
  const of = (/** @type {string} */ who) => steady.filter((one) => one.who === who).length
  const counts = Array.from({ length: processes }, (_, n) => of(`p${n}`))
  const fair = counts.reduce((sum, count) => sum + count, 0) / processes
  const waits = (told[processes]?.waits ?? []).toSorted((a, b) => a - b)
  return {
    mostInOneSecond: Math.max(0, ...inSecond),
    // What a gateway that counts strictly would refuse.
    tooMany: inSecond.filter((count) => count > 10).length,
    arrivals: arrivals.length,
    refused,
    perSecond: steady.length / ((endedAt - startedAt - warmUpMs) / 1000),
    leastShare: Math.min(...counts) / fair,
    callsPerPermit: told.reduce((sum, { calls }) => sum + calls, 0) / arrivals.length,
    webWaitP99: waits[Math.min(waits.length - 1, Math.floor(waits.length * 0.99))],
    webWaits: waits.length,
    storeAway: told.reduce((sum, one) => sum + one.storeAway, 0),
    failures: told.flatMap((one) => one.failures),
  }
}
