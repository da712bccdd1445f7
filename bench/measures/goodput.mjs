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
  const rounds = quick ? kinds : [...kinds, ...kinds, ...kinds]
  // Not before all of them have started, which is work for a machine.
  const gateways = await Promise.all(rounds.map(startGateway))
  // All at once: ten requests a second are none, and one after another they took 14 minutes.
  const measured = await Promise.all(gateways.map((gateway) => goodput(gateway, quick ? 10 : 60)))
  return kinds.flatMap((limiter) => {
    const seen = measured.filter((one) => one.limiter === limiter)
    const what = `accepted a second at a limit of 10, ${limiter}`
    return [
      {
        what,
        atLeast: limiter === 'evenly-spaced' ? 9 : 9.1,
        ...summary(seen.map(({ perSecond }) => perSecond)),
      },
      { what: `${what}: refused of them all`, ...summary(seen.map(({ refused }) => refused)) },
    ]
  })
}

/** Not counted: the first token, what the client asks to find out how the gateway counts, and the first ten. */
const warmUpMs = 8000

/** @param {typeof kinds[number]} limiter */
async function startGateway(limiter) {
  const gateway = new WorkerProcess('workers/jittery-sandbox.mjs', {
    args: [JSON.stringify({ jitterMs: 80, limiter })],
  })
  const { origin: baseUrl, merchantCode, privateKey } = await gateway.answer()
  return { limiter, gateway, options: { baseUrl, merchantCode, privateKey } }
}

/** @param {Awaited<ReturnType<typeof startGateway>>} started @param {number} seconds */
async function goodput({ limiter, gateway, options }, seconds) {
  const client = new GatewayClient(options)
  const ending = new AbortController()
  const senders = Array.from({ length: 16 }, async () => {
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
  await Promise.all(senders)
  await client.close()
  await gateway.end()
  return {
    limiter,
    perSecond: ((after.accepted - before.accepted) / passedMs) * 1000,
    refused: after.refused,
  }
}
