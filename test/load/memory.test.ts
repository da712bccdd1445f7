import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import type { GatewayClient, Limiter } from '../../src/index.js'
import { handMadeGateway, stall } from '../faults/servers.js'
import { clientOf, paymentRequest } from '../faults/support.js'
import { collectGarbage } from '../support/garbage.js'
import { until } from '../support/turns.js'

/** Starts calls whose requests only the client knows, aborts them all, and gives back what can be told of them. */
async function startAndAbort(client: GatewayClient, count: number, reached: () => boolean) {
  const controller = new AbortController()
  const { signal } = controller
  const requests: WeakRef<object>[] = []
  const settled: Promise<unknown>[] = []
  for (let n = 0; n < count; n++) {
    const note = { text: 'x'.repeat(1000) }
    const request = { idPayout: `order-${n}`, ...paymentRequest(), extra: { note } }
    requests.push(new WeakRef(note))
    settled.push(
      client.payouts.create(request, { signal }).then(
        () => 'resolved',
        () => 'rejected',
      ),
    )
  }
  await until(reached)
  expect(getEventListeners(signal, 'abort').length).toBeGreaterThan(0)
  controller.abort()
  expect(new Set(await Promise.all(settled))).toEqual(new Set(['rejected']))
  return { requests, listeners: getEventListeners(signal, 'abort').length }
}

const kept = (requests: readonly WeakRef<object>[]) =>
  requests.filter((one) => one.deref() !== undefined).length

test('of 2000 calls that waited for a permit and were aborted, nothing is kept', async () => {
  let asked = 0
  const acquire: Limiter['acquire'] = () => (asked++ === 0 ? undefined : new Promise(() => {}))
  await using gateway = await handMadeGateway({})
  await using client = clientOf(gateway.url, 'undici', { rateLimit: { acquire } })
  const { requests, listeners } = await startAndAbort(client, 2000, () => asked > 1)
  expect(listeners).toBe(0)
  await collectGarbage(5)
  expect(kept(requests)).toBeLessThanOrEqual(1)
})

test.each(['undici', 'fetch'] as const)(
  'of 100 calls over %s that were on the wire and were aborted, nothing is kept',
  async (transport) => {
    await using gateway = await handMadeGateway({ create: [stall] })
    await using client = clientOf(gateway.url, transport, { rateLimit: false })
    const { requests, listeners } = await startAndAbort(client, 100, () => gateway.requests.length > 100)
    expect(listeners).toBe(0)
    await collectGarbage(5)
    // The parser of the last connection may hold one.
    expect(kept(requests)).toBeLessThanOrEqual(5)
  },
)
