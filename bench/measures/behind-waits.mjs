// @ts-check
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayClient } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'
import { request } from '../payloads.mjs'
import { summary } from '../support/stats.mjs'

const { callbackUrl: _, ...payin } = request

/** What a create now and then takes longer while 2,000 payments are waited for. @param {{ quick: boolean }} options */
export async function measureBehindWaits({ quick }) {
  const waits = quick ? 200 : 2000
  const times = quick ? 15 : 100
  // Another gateway lets the 2,000 be made quickly.
  const sandbox = createSandbox({ settleAfterMs: 1e9, rateLimit: false })
  await sandbox.listen()
  const maker = new GatewayClient({ ...sandbox.clientOptions(), rateLimit: false })
  const ids = await Promise.all(
    Array.from({ length: waits }, async () => (await maker.payins.create(payin)).idPayin),
  )
  await maker.close()
  sandbox.changeLimiter({ rateLimit: 10 })
  const { rateLimit: _off, ...options } = { ...sandbox.clientOptions() }
  const client = new GatewayClient(options)
  const alone = await creates(client, times)
  const ending = new AbortController()
  const waiting = ids.map((id) =>
    client.payins.waitFor(id, { maxWaitMs: 600_000, signal: ending.signal }).catch(() => undefined),
  )
  await sleep(3000)
  const beside = await creates(client, times)
  ending.abort()
  await Promise.all(waiting)
  await client.close()
  await sandbox.close()
  const late = Math.floor(times * 0.99)
  const moreMs = (beside[late] ?? Number.NaN) - (alone[late] ?? Number.NaN)
  return [
    {
      what: `a create behind ${waits.toLocaleString('en')} waits, less one alone: 99th in a hundred`,
      unit: ' ms',
      atMost: 150,
      ...summary([moreMs]),
    },
    { what: 'a create alone: 99th in a hundred', unit: ' ms', ...summary([alone[late] ?? Number.NaN]) },
  ]
}

/** A create each 300 to 500 ms. @param {GatewayClient} client @param {number} times @returns {Promise<number[]>} sorted */
async function creates(client, times) {
  const tookMs = []
  for (let n = 0; n < times; n++) {
    const startedAt = performance.now()
    await client.payins.create(payin)
    tookMs.push(performance.now() - startedAt)
    await sleep(300 + ((n * 37) % 200))
  }
  return tookMs.sort((a, b) => a - b)
}
