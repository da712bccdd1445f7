import { beforeEach, expect, test, vi } from 'vitest'
import { fetchGateway } from '../faults/fetch-gateway.js'
import { create, failure } from '../faults/support.js'
import { bookkeeper, countingServer, defaultClient, expectNeverMoreThan } from './arrivals.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }))

test('200 creates at once stay within ten a second when the network is slow at times: what is on its way has not been counted yet', async () => {
  const { accept, payments } = bookkeeper()
  const server = countingServer(accept)
  let sent = 0
  const gateway = fetchGateway(async (arrival) => {
    // Every tenth answer takes long; requests arrive when they are sent, as on a connection that is open.
    const slow = sent++ % 10 === 0 ? 700 : 5
    const response = server(arrival)
    await new Promise((resolve) => setTimeout(resolve, slow))
    return response
  })
  const client = defaultClient(gateway.fetch)
  const all = Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      create(client, n % 2 === 0 ? 'payin' : 'payout', { id: `order-${n}` }),
    ),
  )
  await vi.advanceTimersByTimeAsync(200 * 125 + 5000)
  await all
  expect(payments.size).toBe(200)
  expectNeverMoreThan(
    10,
    gateway.arrivals.map(({ atMs }) => atMs),
  )
  await client.close()
})

test('a 429 of a server that counts more strictly than agreed ends in an error that says so', async () => {
  const gateway = fetchGateway(() => Response.json({}, { status: 429 }))
  const client = defaultClient(gateway.fetch)
  const call = failure(create(client, 'payout'))
  await vi.advanceTimersByTimeAsync(120_000)
  const error = await call
  expect(error).toMatchObject({ code: 'rate_limit', outcome: 'not-accepted', status: 429 })
  // Only the deadline ends it; and nobody asks every second for two minutes.
  expect(error.attempts).toBeGreaterThan(5)
  expect(error.attempts).toBeLessThan(60)
  await client.close()
})
