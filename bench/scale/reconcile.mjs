// @ts-check
// What is to do after callbacks have failed: how fast a merchant's payments are looked up within its ten, alone and
// beside customers, and what each costs in CPU.

import { request } from '../payloads.mjs'
import { WorkerProcess } from '../support/processes.mjs'
import { merchantsOf } from './platform.mjs'
import { cpuMs } from './support.mjs'

/** @param {number} count */
function* refs(count) {
  for (let n = 0; n < count; n++) yield { idPayin: `order-${n + 1}` }
}

/** @param {{ quick: boolean }} options */
export async function measureReconcile({ quick }) {
  const gateway = new WorkerProcess('scale/workers/gateway.mjs')
  const { origin } = await gateway.answer()
  try {
    await gateway.ask({ settledBelow: 1e9 })
    const seconds = quick ? 6 : 30
    const alone = await within(origin, { seconds, customers: 0, wanted: 0 })
    const beside = await within(origin, { seconds, customers: 0, wanted: 5 })
    const behind = await within(origin, { seconds, customers: 8, wanted: 0 })
    const { usEach, perSecond } = await cost(origin, quick ? 2000 : 40_000)
    return [
      { what: 'reconciled a second within ten, nothing else to do', value: alone.reconciled, unit: '' },
      {
        what: 'reconciled a second within ten, beside 5 creates a second',
        value: beside.reconciled,
        unit: '',
      },
      { what: 'the same: creates a second', value: beside.creates, unit: '' },
      {
        what: 'reconciled a second within ten, beside creates without end',
        value: behind.reconciled,
        unit: '',
      },
      { what: 'the same: creates a second', value: behind.creates, unit: '' },
      {
        what: 'reconciled a second by one process, 50 merchants at once, the limit off',
        value: perSecond,
        unit: '',
      },
      { what: 'the same: CPU of the process for each', value: usEach, unit: ' µs' },
    ]
  } finally {
    await gateway.end()
  }
}

/**
 * One merchant, for so long.
 *
 * @param {string} origin
 * @param {{ seconds: number, customers: number, wanted: number }} how creates at once, one after another, or so many a second
 */
async function within(origin, { seconds, customers, wanted }) {
  const [merchant] = merchantsOf(origin, 1)
  if (merchant === undefined) throw new Error('no merchant')
  const { client, receiver } = merchant
  const ending = new AbortController()
  const { signal } = ending
  const { callbackUrl: _, ...payin } = request
  // Tokens, and the finding out how the gateway counts.
  await Promise.all(Array.from({ length: 12 }, () => client.payins.create(payin)))
  let [creates, reconciled] = [0, 0]
  const create = () =>
    client.payins.create(payin, { signal }).then(
      () => creates++,
      () => undefined,
    )
  const loops = Array.from({ length: customers }, async () => {
    while (!signal.aborted) await create()
  })
  const timer = wanted > 0 ? setInterval(() => void create(), 1000 / wanted) : undefined
  const timeout = setTimeout(() => ending.abort(), seconds * 1000)
  const began = performance.now()
  try {
    for await (const { error } of receiver.reconcile(refs(1e6), { deliver: true, signal })) {
      if (error === undefined) reconciled++
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  const tookSeconds = (performance.now() - began) / 1000
  clearInterval(timer)
  clearTimeout(timeout)
  await Promise.all(loops)
  await receiver.drain()
  await client.close()
  return { creates: creates / tookSeconds, reconciled: reconciled / tookSeconds }
}

/** @param {string} origin @param {number} count */
async function cost(origin, count) {
  const merchants = merchantsOf(origin, 50, { rateLimit: false })
  const reconcileAll = async (/** @type {number} */ each) => {
    const runs = merchants.map(async ({ receiver }) => {
      for await (const { error } of receiver.reconcile(refs(each), { deliver: true })) {
        if (error !== undefined) throw error
      }
    })
    await Promise.all(runs)
  }
  await reconcileAll(20)
  for (const { receiver } of merchants) await receiver.drain()
  const fresh = merchantsOf(origin, 50, { rateLimit: false })
  merchants.splice(0, 50, ...fresh)
  for (const { client } of merchants) await client.payins.retrieve('order-1')
  const cpu = process.cpuUsage()
  const began = performance.now()
  await reconcileAll(count / 50)
  const seconds = (performance.now() - began) / 1000
  return { usEach: (1000 * cpuMs(cpu)) / count, perSecond: count / seconds }
}
