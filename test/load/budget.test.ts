import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GatewayClient } from '../../src/index.js'
import { type FetchGateway, fetchGateway } from '../faults/fetch-gateway.js'
import { anySigner, create, failure } from '../faults/support.js'
import { bookkeeper, countingServer, expectNeverMoreThan } from './arrivals.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
})

afterEach(() => {
  vi.useRealTimers()
})

/** A client with every default, so with the default limiter. */
function clientOf({ fetch }: FetchGateway): GatewayClient {
  return new GatewayClient({
    baseUrl: 'https://gateway.example',
    merchantCode: 'M-0001',
    signer: anySigner,
    fetch,
  })
}

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
    const client = clientOf(gateway)
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
    const client = clientOf(gateway)
    await createMany(client, 500)
    const all = times(gateway)
    expect((all.at(-1) ?? 0) - (all[0] ?? 0)).toBeLessThan(502 * 110)
    await client.close()
  })

  test('stay within the limit when the client was idle for a minute before', async () => {
    const { accept, payments } = bookkeeper()
    const gateway = fetchGateway(countingServer(accept))
    const client = clientOf(gateway)
    await createMany(client, 25, 'first')
    await vi.advanceTimersByTimeAsync(60_000)
    const results = await createMany(client, 500)
    for (const result of results) expect(result).toMatchObject({ replayed: false })
    expect(payments.size).toBe(525)
    expectNeverMoreThan(10, times(gateway))
    await client.close()
  })

  test.each([1, 499, 999, 1001, 1079, 5000])(
    'stay within it when they come %d ms after another burst',
    async (ms) => {
      const gateway = fetchGateway(countingServer(bookkeeper().accept))
      const client = clientOf(gateway)
      const first = createMany(client, 10, 'first')
      await first
      await vi.advanceTimersByTimeAsync(ms)
      for (const result of await createMany(client, 40)) expect(result).toMatchObject({ replayed: false })
      expectNeverMoreThan(10, times(gateway))
      await client.close()
    },
  )

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
    const client = clientOf(gateway)
    await createMany(client, 200)
    await vi.advanceTimersByTimeAsync(5000)
    expect(payments.size).toBe(200)
    expectNeverMoreThan(10, times(gateway))
    await client.close()
  })
})

describe('a 429', () => {
  test('holds everybody back for as long as it says', async () => {
    let refused = false
    const { accept, payments } = bookkeeper()
    const gateway = fetchGateway((arrival) => {
      if (arrival.method === 'GET' || refused) return accept(arrival)
      refused = true
      return Response.json({}, { status: 429, headers: { 'retry-after': '7' } })
    })
    const client = clientOf(gateway)
    const results = await createMany(client, 100, 'order', 10_000)
    for (const result of results) expect(result).toMatchObject({ replayed: false })
    expect(payments.size).toBe(100)
    const creates = gateway.arrivals.filter(({ path }) => path.startsWith('/pay')).map(({ atMs }) => atMs)
    const gaps = creates.slice(1).map((at, n) => at - (creates[n] ?? 0))
    expect(Math.max(...gaps)).toBeGreaterThanOrEqual(7000)
    // What had a permit before the answer came was sent; nothing else within the 7 s.
    expect(creates.filter((at) => at < (creates[0] ?? 0) + 7000).length).toBeLessThanOrEqual(10)
    expectNeverMoreThan(10, times(gateway))
    await client.close()
  })

  test('of a server that counts more strictly than agreed ends in an error that says so', async () => {
    const gateway = fetchGateway(() => Response.json({}, { status: 429 }))
    const client = clientOf(gateway)
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

describe('under load', () => {
  test('creates go before reads, and reads before polls, whoever came first', async () => {
    const gateway = fetchGateway(bookkeeper().accept)
    const client = clientOf(gateway)
    // The tokens are there, and the first second is spent.
    await createMany(client, 12, 'warm-up')
    const from = gateway.arrivals.length
    const polls = Array.from({ length: 15 }, (_, n) =>
      failure(client.payouts.waitFor(`poll-${n}`, { maxWaitMs: 9000 })),
    )
    const reads = Array.from({ length: 15 }, (_, n) => client.payouts.retrieve(`read-${n}`))
    const creates = Array.from({ length: 15 }, (_, n) => create(client, 'payout', { id: `create-${n}` }))
    await vi.advanceTimersByTimeAsync(10_000)
    await Promise.all([...polls, ...reads, ...creates])
    const order = gateway.arrivals.slice(from).map(({ path }) => path.split('/')[2]?.split('-')[0] ?? '')
    // One permit may have been on its way to the first who asked.
    expect(order.slice(0, 17).filter((kind) => kind === 'create').length).toBe(15)
    // Polls have their tenth of the permits all the while.
    expect(order.slice(0, 34).filter((kind) => kind === 'read').length).toBe(15)
    expect(order.slice(0, 30).filter((kind) => kind === 'poll').length).toBe(3)
    expectNeverMoreThan(10, times(gateway))
    await client.close()
  })

  test('a create that comes late overtakes a thousand polls', async () => {
    const gateway = fetchGateway(bookkeeper().accept)
    const client = clientOf(gateway)
    const polls = Array.from({ length: 1000 }, (_, n) =>
      failure(client.payouts.waitFor(`poll-${n}`, { maxWaitMs: 20_000 })),
    )
    await vi.advanceTimersByTimeAsync(5000)
    const startedAt = performance.now()
    let endedAt = Number.POSITIVE_INFINITY
    const call = create(client, 'payout').then(() => {
      endedAt = performance.now()
    })
    await vi.advanceTimersByTimeAsync(1100)
    await call
    expect(endedAt - startedAt).toBeLessThan(1100)
    await vi.advanceTimersByTimeAsync(20_000)
    await Promise.all(polls)
    await client.close()
  })

  test('one call too many is refused at once, and nothing of it is sent', async () => {
    const gateway = fetchGateway(bookkeeper().accept)
    const client = new GatewayClient({
      baseUrl: 'https://gateway.example',
      merchantCode: 'M-0001',
      signer: anySigner,
      fetch: gateway.fetch,
      maxQueued: 50,
    })
    await createMany(client, 2, 'warm-up')
    const calls = Promise.allSettled(
      Array.from({ length: 60 }, (_, n) => create(client, 'payin', { id: `order-${n}` })),
    )
    await vi.advanceTimersByTimeAsync(10_000)
    const refused = (await calls).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused.length).toBe(10)
    for (const error of refused) expect(error).toMatchObject({ code: 'queue_full', outcome: 'not-accepted' })
    expect(gateway.arrivals.filter(({ path }) => path.startsWith('/payins/order')).length).toBe(50)
    await client.close()
  })
})
