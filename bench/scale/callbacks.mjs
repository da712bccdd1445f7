// @ts-check
// Callbacks a second: what a process can receive, and what each merchant's ten a second leave of it.
import { Pool } from 'undici'
import { WorkerProcess } from '../support/processes.mjs'
import { merchantsOf } from './platform.mjs'
import { sleep } from './support.mjs'

/** @param {{ quick: boolean }} options */
export async function measureCallbacks({ quick }) {
  const gateway = new WorkerProcess('scale/workers/gateway.mjs')
  const { origin } = await gateway.answer()
  try {
    await gateway.ask({ settledBelow: 1e9 })
    return [
      ...(await received(origin, quick)),
      ...(await forOneMerchant(origin, gateway, quick)),
      ...(await ofOnePayment(origin, gateway)),
    ]
  } finally {
    await gateway.end()
  }
}

/** All that a process can do, with the limit off. @param {string} origin @param {boolean} quick */
async function received(origin, quick) {
  const merchants = 500
  const worker = new WorkerProcess('scale/workers/receiver.mjs', { args: [origin, String(merchants)] })
  const { receiver } = await worker.answer()
  const pool = new Pool(receiver, { connections: 64 })
  /** @param {string} path */
  const call = async (path) => {
    const { statusCode, body } = await pool.request({ path, method: 'POST' })
    await body.dump()
    return statusCode
  }
  /** @param {readonly string[]} paths */
  const callAll = async (paths) => {
    let next = 0
    const answered = { 204: 0, 404: 0, other: 0 }
    const loop = async () => {
      for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
        const status = await call(path)
        answered[status === 204 || status === 404 ? status : 'other']++
      }
    }
    const [before, began] = [await worker.ask(), performance.now()]
    await Promise.all(Array.from({ length: 64 }, loop))
    const seconds = (performance.now() - began) / 1000
    const after = await worker.ask()
    return {
      answered,
      perSecond: paths.length / seconds,
      usEach: (1000 * (after.cpuMs - before.cpuMs)) / paths.length,
    }
  }
  const count = quick ? 3000 : 40_000
  const { paths } = await worker.ask({ paths: { count, name: 'order' } })
  const { paths: warm } = await worker.ask({ paths: { count: 2000, name: 'warm' } })
  await callAll(warm)
  const signed = await callAll(paths)
  const forged = await callAll(paths.map((/** @type {string} */ path) => `${path.slice(0, -3)}AAA`))
  await pool.close()
  await worker.end()
  const what = `callbacks of ${merchants} merchants, by HTTP, each looked up, the limit off`
  return [
    { what: `${what}: a second`, value: signed.perSecond, unit: '' },
    { what: `${what}: CPU of the process for each`, value: signed.usEach, unit: ' µs' },
    { what: `${what}: answered otherwise than 204`, value: count - signed.answered[204], unit: '' },
    { what: 'forged callbacks, by HTTP: a second', value: forged.perSecond, unit: '' },
    { what: 'forged callbacks, by HTTP: CPU of the process for each', value: forged.usEach, unit: ' µs' },
  ]
}

/** More than its ten a second. @param {string} origin @param {WorkerProcess} gateway @param {boolean} quick */
async function forOneMerchant(origin, gateway, quick) {
  const seconds = quick ? 5 : 30
  let delivered = 0
  const [merchant] = merchantsOf(origin, 1, { onPayin: () => delivered++ })
  if (merchant === undefined) throw new Error('no merchant')
  const { client, receiver, pathOf } = merchant
  await client.payins.retrieve('order-0')
  const before = await gateway.ask()
  /** @type {Promise<number>[]} */
  const answers = []
  for (let n = 0; n < 100 * seconds; n++) {
    answers.push(receiver.receive(pathOf(`one-${n}`)).then(({ status }) => status))
    await sleep(10)
  }
  const after = await gateway.ask()
  const deliveredInTime = delivered
  const statuses = await Promise.all(answers)
  const took = statuses.length
  await receiver.drain()
  await client.close()
  const what = `100 callbacks wanted a second, of one merchant, for ${seconds} s`
  return [
    { what: `${what}: callbacks`, value: took, unit: '' },
    { what: `${what}: answered 204`, value: statuses.filter((one) => one === 204).length, unit: '' },
    { what: `${what}: answered 503`, value: statuses.filter((one) => one === 503).length, unit: '' },
    { what: `${what}: look-ups`, value: after.looks - before.looks, unit: '' },
    { what: `${what}: told to the merchant’s function meanwhile`, value: deliveredInTime, unit: '' },
  ]
}

/** Somebody sends the same one again and again. @param {string} origin @param {WorkerProcess} gateway */
async function ofOnePayment(origin, gateway) {
  const [merchant] = merchantsOf(origin, 1)
  if (merchant === undefined) throw new Error('no merchant')
  const { client, receiver, pathOf } = merchant
  await client.payins.retrieve('order-0')
  const before = await gateway.ask({ delayMs: 100 })
  const path = pathOf('same-1')
  const answers = await Promise.all(Array.from({ length: 100 }, () => receiver.receive(path)))
  const after = await gateway.ask({ delayMs: 0 })
  await receiver.drain()
  await client.close()
  return [
    { what: '100 callbacks of one payment at once: look-ups', value: after.looks - before.looks, unit: '' },
    {
      what: '100 callbacks of one payment at once: answered 204',
      value: answers.filter(({ status }) => status === 204).length,
      unit: '',
    },
  ]
}
