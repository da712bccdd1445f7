// @ts-check
// A hundred thousand lines: how fast and in how much memory they are added, that they are added once, and how soon a
// payout is looked at when its callback comes while all of them wait.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { paymentWorker } from '../../../dist/bullmq/index.js'
import { GatewayClient } from '../../../dist/index.js'
import { createSandbox } from '../../../packages/sandbox/dist/index.js'
import { payoutOf } from './payouts.mjs'
import { ownQueue } from './store.mjs'

const adderFile = fileURLToPath(new URL('adder.mjs', import.meta.url))

/** @param {{ engine: 'redis' | 'postgres', count: number, wakes?: number }} run */
export async function volumeProof({ engine, count, wakes = 10 }) {
  const sandbox = createSandbox({ settleAfterMs: false, magicAmounts: [] })
  const client = new GatewayClient(sandbox.clientOptions())
  const store = await ownQueue(engine, client)
  const { queue, options } = store
  // These are followed while the others wait, and not looked at by themselves.
  const followed = Array.from({ length: wakes }, (_, n) => payoutOf(count + 1 + n))
  await queue.addAll(followed)
  const worker = await paymentWorker(client, 'payout', {
    ...options,
    job: { firstPollMs: 3_600_000, longestPollMs: 3_600_000 },
  })
  while ((await queue.progress()).following < wakes) await new Promise((resolve) => setTimeout(resolve, 50))
  await queue.pause()

  const first = await addInProcess(client, options, count)
  const again = await addInProcess(client, options, count)
  const { total } = await queue.progress()

  await queue.resume()
  // All places of the worker are taken, and ten a second go out.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const lookMs = []
  for (const { idPayout } of followed) {
    sandbox.payouts.get(idPayout).pay()
    const before = sandbox.requests.length
    const began = performance.now()
    await queue.wake(idPayout)
    const isLookedAt = () =>
      sandbox.requests.slice(before).some((one) => one.method === 'GET' && one.idPayout === idPayout)
    while (!isLookedAt() && performance.now() - began < 10_000)
      await new Promise((resolve) => setTimeout(resolve, 5))
    lookMs.push(Math.round(performance.now() - began))
  }
  const { waiting } = await queue.progress()
  await queue.pause()
  await worker.close()
  const [lines, reportMs] = await timed(async () => {
    let lines = 0
    for await (const _ of queue.report()) lines++
    return lines
  })
  await client.close()
  await sandbox.close()
  await store.close()
  return {
    engine,
    first,
    again,
    total,
    waitingWhenWoken: waiting,
    lookMs: lookMs.sort((a, b) => a - b),
    report: { lines, reportMs },
  }
}

/** @template T @param {() => Promise<T>} work @returns {Promise<[T, number]>} */
async function timed(work) {
  const began = performance.now()
  const result = await work()
  return [result, Math.round(performance.now() - began)]
}

/**
 * @param {GatewayClient} client
 * @param {import('../../../dist/bullmq/index.js').QueueStoreOptions} options
 * @param {number} count
 * @returns {Promise<{ added: import('../../../dist/bullmq/index.js').PaymentsAdded, ms: number, mostMB: number }>}
 */
async function addInProcess(client, options, count) {
  const key = Buffer.from(client.deriveKey('payment queue') ?? []).toString('hex')
  const child = fork(adderFile, [JSON.stringify({ options, account: client.account, key, count })])
  return new Promise((resolve, reject) => {
    child.once('message', (/** @type {any} */ message) => resolve(message))
    child.once('exit', (code) => reject(new Error(`the adder ended with ${code}`)))
  })
}
