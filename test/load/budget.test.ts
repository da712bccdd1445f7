import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { GatewayClient } from '../../src/index.js'
import { type FetchGateway, fetchGateway } from '../faults/fetch-gateway.js'
import { create, failure } from '../faults/support.js'
import { bookkeeper, countingServer, defaultClient, expectNeverMoreThan } from './arrivals.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }))

const times = ({ arrivals }: FetchGateway) => arrivals.map(({ atMs }) => atMs)

async function createMany(
  client: GatewayClient,
  count: number,
  prefix = 'order',
  extraMs = 0,
): Promise<unknown[]> {
  const calls = Array.from({ length: count }, (_, n) =>
    create(client, n % 2 === 0 ? 'payin' : 'payout', { id: `${prefix}-${n}` }),
  )
  const all = Promise.all(calls)
  await vi.advanceTimersByTimeAsync(count * 125 + extraMs)
  return all
}

describe('500 creates at once', () => {
  test('never arrive more than 10 in any 1000 ms, meet no 429, and are all accepted, each once', async () => {
    const { accept, payments } = bookkeeper()
    const gateway = fetchGateway(countingServer(accept))
    const client = defaultClient(gateway.fetch)
    const results = await createMany(client, 500)
    expect(results.length).toBe(500)
    for (const result of results) expect(result).toMatchObject({ replayed: false })
    expect(payments.size).toBe(500)
    expect(new Set(payments.values())).toEqual(new Set([1]))
    // Two tokens, and one request for each payment.
    expect(gateway.arrivals.length).toBe(502)
    expectNeverMoreThan(10, times(gateway))
    await client.close()
  })

  test('are not slower than the guard against jitter costs', async () => {
    const gateway = fetchGateway(bookkeeper().accept)
    const client = defaultClient(gateway.fetch)
    await createMany(client, 500)
    const all = times(gateway)
    expect((all.at(-1) ?? 0) - (all[0] ?? 0)).toBeLessThan(502 * 110)
    await client.close()
  })

  test('stay within it when the network is slow at times: what is on its way has not been counted yet', async () => {
    const { accept, payments } = bookkeeper()
    const server = countingServer(accept)
    const arrived: number[] = []
    let sent = 0
    const gateway = fetchGateway(async (arrival) => {
      // Every tenth answer takes long; requests arrive when they are sent, as on a connection that is open.
      const slow = sent++ % 10 === 0 ? 700 : 5
      arrived.push(arrival.atMs)
      const response = server(arrival)
      await new Promise((resolve) => setTimeout(resolve, slow))
      return response
    })
    const client = defaultClient(gateway.fetch)
    await createMany(client, 200)
    await vi.advanceTimersByTimeAsync(5000)
    expect(payments.size).toBe(200)
    expectNeverMoreThan(10, times(gateway))
    await client.close()
  })
})

describe('a 429', () => {
  test('of a server that counts more strictly than agreed ends in an error that says so', async () => {
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
})
