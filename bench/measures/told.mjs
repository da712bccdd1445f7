// @ts-check
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayClient } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { createSandbox } from 'merchant-gateway-sandbox'
import { request } from '../payloads.mjs'
import { median, summary } from '../support/stats.mjs'

const { callbackUrl: _, ...payin } = request

/** From the gateway's change of a status to the merchant's function. @param {{ quick: boolean }} options */
export async function measureTold({ quick }) {
  const byCallbacks = await withCallbacks(quick ? 20 : 150)
  const byPolls = await withPolls(quick ? 20 : 100)
  return [
    {
      what: 'from a change to the merchant’s function, callbacks, 5 changes a second: 99th in a hundred',
      unit: ' ms',
      atMost: 250,
      ...summary([percentile(byCallbacks.lateMs, 0.99)]),
    },
    {
      what: 'the same, the middle one',
      unit: ' ms',
      ...summary([median(byCallbacks.lateMs)]),
    },
    {
      what: 'requests for each payin, callbacks on',
      atMost: 2.1,
      ...summary([byCallbacks.requestsEach]),
    },
    {
      what: `from a change to the merchant’s function, no callbacks, ${byPolls.length} waited for: the middle one`,
      unit: ' ms',
      atMost: 5000,
      ...summary([median(byPolls)]),
    },
  ]
}

/** @param {readonly number[]} values @param {number} part */
function percentile(values, part) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** @param {number} count */
async function withCallbacks(count) {
  // One change for each, made by hand.
  const sandbox = createSandbox({ pendingAfterMs: 1e9, settleAfterMs: 2e9 })
  await sandbox.listen()
  const client = new GatewayClient(sandbox.clientOptions())
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  /** @type {Map<string, number>} */
  const changedAt = new Map()
  /** @type {number[]} */
  const lateMs = []
  const callbacks = new CallbackReceiver({
    client,
    publicUrl: `http://127.0.0.1:${port}/gateway/callbacks`,
    secrets: [randomBytes(32)],
    onPayin(_payin, { idPayin }) {
      const at = changedAt.get(idPayin)
      if (at !== undefined) lateMs.push(performance.now() - at)
    },
  })
  server.on('request', callbacks.node())
  /** @type {string[]} */
  const ids = []
  for (let n = 0; n < count; n++) ids.push((await client.payins.create(payin)).idPayin)
  for (const id of ids) {
    changedAt.set(id, performance.now())
    sandbox.payins.get(id)?.pay()
    await sleep(200)
  }
  await sleep(1500)
  await callbacks.drain()
  const tokens = sandbox.requests.filter(({ path }) => path.startsWith('/auth-tokens')).length
  const requestsEach = (sandbox.requests.length - tokens) / count
  await client.close()
  server.closeAllConnections()
  server.close()
  await sandbox.close()
  if (lateMs.length < changedAt.size)
    throw new Error(`${changedAt.size - lateMs.length} changes were not told`)
  return { lateMs, requestsEach }
}

/** @param {number} count */
async function withPolls(count) {
  const sandbox = createSandbox({ settleAfterMs: 1e9 })
  await sandbox.listen()
  const client = new GatewayClient(sandbox.clientOptions())
  /** @type {string[]} */
  const ids = []
  for (let n = 0; n < count; n++) ids.push((await client.payins.create(payin)).idPayin)
  /** @type {Map<string, number>} */
  const changedAt = new Map()
  const waits = ids.map(async (id) => {
    await client.payins.waitFor(id, { maxWaitMs: 120_000 })
    return performance.now() - (changedAt.get(id) ?? Number.NaN)
  })
  // Long enough that polls have found their distance.
  await sleep(5000)
  for (const id of ids) {
    changedAt.set(id, performance.now())
    sandbox.payins.get(id)?.pay()
    await sleep(200)
  }
  const lateMs = await Promise.all(waits)
  await client.close()
  await sandbox.close()
  return lateMs
}
