// @ts-check
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayClient } from 'merchant-gateway'
import { request } from '../payloads.mjs'
import { WorkerProcess } from '../support/processes.mjs'
import { summary } from '../support/stats.mjs'

const kinds = /** @type {const} */ (['sliding-window', 'fixed-window', 'token-bucket', 'evenly-spaced'])

/**
 * Requests a second that a gateway with a limit of 10 accepts of a client that always wants more, over a network that
 * delays each by 0 to 80 ms. @param {{ quick: boolean }} options
 */
export async function measureGoodput({ quick }) {
  const rows = []
  for (const limiter of kinds) {
    const seen = []
    for (let round = 0; round < (quick ? 1 : 3); round++) seen.push(await goodput(limiter, quick ? 10 : 60))
    const what = `accepted a second at a limit of 10, ${limiter}`
    rows.push(
      {
        what,
        atLeast: limiter === 'evenly-spaced' ? 9 : 9.1,
        ...summary(seen.map(({ perSecond }) => perSecond)),
      },
      { what: `${what}: refused of them all`, ...summary(seen.map(({ refused }) => refused)) },
    )
  }
  return rows
}

/** Not counted: the first token, what the client asks to find out how the gateway counts, and the first ten. */
const warmUpMs = 8000

/** @param {string} limiter @param {number} seconds */
async function goodput(limiter, seconds) {
  const gateway = new WorkerProcess('workers/jittery-sandbox.mjs', {
    args: [JSON.stringify({ jitterMs: 80, limiter })],
  })
  const { origin, merchantCode, privateKey } = await gateway.answer()
  const client = new GatewayClient({ baseUrl: origin, merchantCode, privateKey })
  const ending = new AbortController()
  const lanes = Array.from({ length: 16 }, async () => {
    const { callbackUrl: _, ...payin } = request
    while (!ending.signal.aborted)
      await client.payins.create(payin, { signal: ending.signal }).catch(() => undefined)
  })
  await sleep(warmUpMs)
  const before = await gateway.ask()
  const startedAt = performance.now()
  await sleep(seconds * 1000)
  const after = await gateway.ask()
  const passedMs = performance.now() - startedAt
  ending.abort()
  await Promise.all(lanes)
  await client.close()
  await gateway.end()
  return { perSecond: ((after.accepted - before.accepted) / passedMs) * 1000, refused: after.refused }
}
