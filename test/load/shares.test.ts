import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ClientSettings, GatewayClient } from '../../src/index.js'
import { fetchGateway } from '../faults/fetch-gateway.js'
import { create, failure } from '../faults/support.js'
import { bookkeeper, defaultClient } from './arrivals.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }))
function clientWith(more: Partial<ClientSettings> = {}) {
  const gateway = fetchGateway(bookkeeper().accept)
  const client = defaultClient(gateway.fetch, more)
  const arrived = (prefix: string, fromMs = 0) =>
    gateway.arrivals.filter(({ path, atMs }) => path.includes(`/${prefix}-`) && atMs >= fromMs)
  return { client, arrived }
}

/** Twelve creates a second until the signal fires: more than the gateway takes. */
async function flood(client: GatewayClient, signal: AbortSignal): Promise<void> {
  for (let n = 0; !signal.aborted; n++) {
    void create(client, 'payout', { id: `create-${n}` }, { signal }).catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 1000 / 12))
  }
}

const minute = 60_000

describe('twelve creates a second', () => {
  test('leave retrieves their turns, and polls and lookups for callbacks their tenth', async () => {
    const { client, arrived } = clientWith()
    const port = client.attachCallbacks({ urlFor: () => 'https://shop.example/', arrive: () => false })
    const ending = new AbortController()
    const { signal } = ending
    const from = performance.now() + 2_000
    void flood(client, signal)
    await vi.advanceTimersByTimeAsync(2_000)
    const work = Array.from({ length: 40 }, (_, n) => [
      failure(client.payouts.waitFor(`poll-${n}`, { maxWaitMs: 10 * minute, signal })),
      client.payouts.retrieve(`read-${n}`, { signal }).catch(() => undefined),
      port.payout.lookUp(`callback-${n}`, 'callback', { signal }).catch(() => undefined),
    ])
    await vi.advanceTimersByTimeAsync(minute / 2)
    expect(arrived('read', from).length).toBe(40)
    for (const what of ['poll', 'callback']) {
      expect(arrived(what, from).length, what).toBeGreaterThanOrEqual(26)
    }
    // And creates have the rest.
    expect(arrived('create', from).length).toBeGreaterThan(0.65 * 9.2 * 30)
    ending.abort()
    await vi.advanceTimersByTimeAsync(1_000)
    await Promise.all(work.flat())
    await client.close()
  })
})

describe.each([2, 3])('at rateLimit: %i', (rateLimit) => {
  const polls = (client: GatewayClient, signal: AbortSignal) =>
    Array.from({ length: 80 }, (_, n) =>
      failure(client.payouts.waitFor(`poll-${n}`, { maxWaitMs: 10 * minute, signal })),
    )

  test('polls get a tenth while creates wait', async () => {
    const { client, arrived } = clientWith({ rateLimit })
    const ending = new AbortController()
    void flood(client, ending.signal)
    const waiting = polls(client, ending.signal)
    await vi.advanceTimersByTimeAsync(minute)
    const share = arrived('poll').length / (arrived('poll').length + arrived('create').length)
    expect(share).toBeGreaterThan(0.08)
    expect(share).toBeLessThan(0.12)
    ending.abort()
    await vi.advanceTimersByTimeAsync(2_000)
    await Promise.all(waiting)
    await client.close()
  })

  test('polls get nearly all while nobody else waits, and a create that comes then goes next', async () => {
    const { client, arrived } = clientWith({ rateLimit })
    const ending = new AbortController()
    const waiting = polls(client, ending.signal)
    await vi.advanceTimersByTimeAsync(minute / 4)
    expect(arrived('poll').length).toBeGreaterThanOrEqual(0.9 * rateLimit * 15)
    const startedAt = performance.now()
    const created = create(client, 'payout', { id: 'create-1' }).then(() => performance.now() - startedAt)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await created).toBeLessThan(1_080 / rateLimit + 5)
    ending.abort()
    await vi.advanceTimersByTimeAsync(2_000)
    await Promise.all(waiting)
    await client.close()
  })
})

test('a create that comes into hundreds of polls finds a permit within a tenth of a second', async () => {
  const { client } = clientWith({ rateLimit: { requestsPerSecond: 10, counted: 'in-windows' } })
  await Promise.all([create(client, 'payout', { id: 'first' }), vi.advanceTimersByTimeAsync(2_000)])
  const ending = new AbortController()
  const waiting = Array.from({ length: 300 }, (_, n) =>
    failure(client.payouts.waitFor(`poll-${n}`, { maxWaitMs: minute, signal: ending.signal })),
  )
  await vi.advanceTimersByTimeAsync(5_000)
  const startedAt = performance.now()
  const created = create(client, 'payout', { id: 'create-1' }).then(() => performance.now() - startedAt)
  await vi.advanceTimersByTimeAsync(110)
  expect(await created).toBeLessThan(110)
  ending.abort()
  await vi.advanceTimersByTimeAsync(10)
  await Promise.all(waiting)
  await client.close()
})

test('a callback waits for a few permits beside a thousand payouts in bulk and hundreds of polls, which both go on', async () => {
  const { client, arrived } = clientWith()
  const port = client.attachCallbacks({ urlFor: () => 'https://shop.example/', arrive: () => false })
  const ending = new AbortController()
  const { signal } = ending
  const bulk = Array.from({ length: 1000 }, (_, n) =>
    create(client, 'payout', { id: `bulk-${n}` }, { signal, priority: 'background' }).catch(() => undefined),
  )
  const waiting = Array.from({ length: 300 }, (_, n) =>
    failure(client.payouts.waitFor(`poll-${n}`, { maxWaitMs: 10 * minute, signal })),
  )
  await vi.advanceTimersByTimeAsync(10_000)
  const from = performance.now()
  const tookMs: number[] = []
  for (let n = 0; n < 20; n++) {
    const startedAt = performance.now()
    void port.payout
      .lookUp(`callback-${n}`, 'callback', { signal })
      .then(() => tookMs.push(performance.now() - startedAt))
    await vi.advanceTimersByTimeAsync(500)
  }
  expect(tookMs).toHaveLength(20)
  expect(Math.max(...tookMs)).toBeLessThan(350)
  for (const others of ['bulk', 'poll']) expect(arrived(others, from).length).toBeGreaterThan(20)
  ending.abort()
  await vi.advanceTimersByTimeAsync(10)
  await Promise.all([...bulk, ...waiting])
  await client.close()
})
