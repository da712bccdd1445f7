import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createLimiter, type Limiter } from '../../packages/sandbox/src/gateway/engine/limiter.js'
import type { LimiterKind } from '../../packages/sandbox/src/index.js'
import { type ClientSettings, type GatewayClient, onGatewayEvent } from '../../src/index.js'
import { anyToken } from '../faults/servers.js'
import { create } from '../faults/support.js'
import { chances } from '../support/chances.js'
import { defaultClient } from './arrivals.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }))
const kinds: readonly LimiterKind[] = ['sliding-window', 'fixed-window', 'token-bucket', 'evenly-spaced']
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

interface Seen {
  refused: number
  readonly acceptedAt: number[]
}

/** A gateway behind a network on which the way there takes 10 ms, and up to so many more; every tenth response takes long. */
function gatewayOf(limiter: Limiter, jitterMs = 0, slowMs = 10) {
  const random = chances(4711)
  const seen: Seen = { refused: 0, acceptedAt: [] }
  let sent = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    await wait(10 + Math.round(random() * jitterMs))
    const isRefused = limiter.admit(performance.now()) > 0
    if (isRefused) seen.refused++
    else seen.acceptedAt.push(performance.now())
    await wait(sent++ % 10 === 0 ? slowMs : 10)
    const [, resource, id] = new URL(String(input)).pathname.split('/')
    if (isRefused) return Response.json({}, { status: 429 })
    if (id === undefined) return Response.json({ token: anyToken })
    const idName = resource === 'payins' ? 'idPayin' : 'idPayout'
    return Response.json({ ...JSON.parse(String(init?.body)), paymentMethodResponse: { [idName]: id } })
  }
  return { fetch, seen }
}

const creates = (client: GatewayClient, count: number, prefix = 'order') =>
  Promise.all(Array.from({ length: count }, (_, n) => create(client, 'payin', { id: `${prefix}-${n}` })))

/** Accepted requests a second, once the first fifty had been. */
function ratePerSecond({ acceptedAt }: Seen): number {
  const learned = acceptedAt.slice(50)
  return ((learned.length - 1) / ((learned.at(-1) ?? 0) - (learned[0] ?? 0))) * 1000
}

describe.each(kinds)('creates at once against a gateway with a %s', (kind) => {
  test.each<readonly [number, string, ClientSettings['rateLimit']]>([
    [400, 'that has to be found out', undefined],
    [150, 'and a client that spaces evenly', { requestsPerSecond: 10, counted: 'evenly-spaced' }],
  ])('%i, %s, are nine a second, and none fails', async (count, _how, rateLimit) => {
    const { fetch, seen } = gatewayOf(createLimiter(kind, 10))
    const all = creates(defaultClient(fetch, { rateLimit }), count)
    await vi.advanceTimersByTimeAsync(46_000)
    expect(await all).toHaveLength(count)
    expect(ratePerSecond(seen)).toBeGreaterThan(9)
    // The pair by which it was found out.
    expect(seen.refused).toBe(kind === 'evenly-spaced' && rateLimit === undefined ? 1 : 0)
  })

  test('150, and up to 80 ms of jitter: none fails', async () => {
    const { fetch, seen } = gatewayOf(createLimiter(kind, 10), 80)
    const all = creates(defaultClient(fetch), 150)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await all).toHaveLength(150)
    if (kind !== 'evenly-spaced') {
      expect(seen.refused).toBe(0)
      expect(ratePerSecond(seen)).toBeGreaterThan(9)
      return
    }
    // What the network brings closer together than 100 ms is refused, however it was sent. With gaps of
    // 108 to 180 ms and this jitter, 6.3 a second is the most that any spacing gets through.
    expect(seen.refused).toBeLessThan(45)
    expect(ratePerSecond(seen)).toBeGreaterThan(4)
  })
})

test('200 creates are never too many where answers take long: what is on its way is counted already', async () => {
  const { fetch, seen } = gatewayOf(createLimiter('sliding-window', 10), 0, 700)
  const all = creates(defaultClient(fetch), 200)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await all).toHaveLength(200)
  expect(seen.refused).toBe(0)
})

test('an evenly spaced gateway is tried again after five minutes, and then less often, at the price of one 429', async () => {
  const { fetch, seen } = gatewayOf(createLimiter('evenly-spaced', 10))
  const client = defaultClient(fetch)
  const told: string[] = []
  const stop = onGatewayEvent('merchant-gateway:rate-limit', (event) => {
    if (event.kind === 'pacing') told.push(`${event.from} -> ${event.to}`)
  })
  const refused: number[] = []
  for (const minutes of [0, 4, 2, 5, 6]) {
    await vi.advanceTimersByTimeAsync(minutes * 60_000)
    const all = creates(client, 20, `after-${minutes}`)
    await vi.advanceTimersByTimeAsync(5_000)
    await all
    refused.push(seen.refused)
  }
  stop()
  expect(refused).toEqual([1, 1, 2, 2, 3])
  expect(told[0]).toBe('in-windows -> evenly-spaced')
})

test('a gateway that began to count in windows is found out, and ten go at once again', async () => {
  let limiter = createLimiter('evenly-spaced', 10)
  const { fetch, seen } = gatewayOf({ admit: (now) => limiter.admit(now) })
  const client = defaultClient(fetch)
  await Promise.all([creates(client, 20), vi.advanceTimersByTimeAsync(5_000)])
  limiter = createLimiter('sliding-window', 10)
  await vi.advanceTimersByTimeAsync(6 * 60_000)
  await Promise.all([creates(client, 3, 'pair'), vi.advanceTimersByTimeAsync(2_000)])
  const before = seen.acceptedAt.length
  await Promise.all([creates(client, 10, 'ten'), vi.advanceTimersByTimeAsync(50)])
  expect(seen.acceptedAt.length - before).toBe(10)
  expect(seen.refused).toBe(1)
})

test('eight processes that know nothing of each other are slow, and none of their 400 creates fails', async () => {
  const { fetch, seen } = gatewayOf(createLimiter('sliding-window', 10), 20)
  const all = Promise.all(
    Array.from({ length: 8 }, (_, n) => creates(defaultClient(fetch), 50, `process-${n}`)),
  )
  await vi.advanceTimersByTimeAsync(119_000)
  expect((await all).flat()).toHaveLength(400)
  // No lockstep: all the while somebody gets through.
  const quiet = seen.acceptedAt.slice(1).map((at, n) => at - (seen.acceptedAt[n] ?? 0))
  expect(Math.max(...quiet)).toBeLessThan(10_000)
})

test('429s on the one token that fifty payments wait for cost them time and nothing else', async () => {
  let tokenRequests = 0
  const good = gatewayOf({ admit: () => 0 })
  const fetch: typeof globalThis.fetch = (input, init) => {
    const isToken = String(input).includes('auth-tokens')
    if (isToken && tokenRequests++ < 12) return Promise.resolve(Response.json({}, { status: 429 }))
    return good.fetch(input, init)
  }
  const all = creates(defaultClient(fetch), 50)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(await all).toHaveLength(50)
  expect(tokenRequests).toBe(13)
})

test('a payment that came later than the others has its own time for the token that they wait for', async () => {
  const startedAt = performance.now()
  const good = gatewayOf({ admit: () => 0 })
  const fetch: typeof globalThis.fetch = (input, init) =>
    performance.now() - startedAt < 130_000
      ? Promise.resolve(Response.json({}, { status: 429 }))
      : good.fetch(input, init)
  const client = defaultClient(fetch)
  const early = create(client, 'payin', { id: 'early' }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(60_000)
  const late = create(client, 'payin', { id: 'late' })
  await vi.advanceTimersByTimeAsync(119_000)
  expect(await early).toMatchObject({ outcome: 'not-accepted' })
  expect(await late).toMatchObject({ replayed: false })
})

test('a gateway that answers 429 to everything ends a call by its deadline alone, and is not asked every second', async () => {
  const { fetch, seen } = gatewayOf({ admit: () => 1 })
  const call = create(defaultClient(fetch), 'payout').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(121_000)
  expect(await call).toMatchObject({ code: 'rate_limit', outcome: 'not-accepted', status: 429 })
  expect(seen.refused).toBeGreaterThan(5)
  expect(seen.refused).toBeLessThan(60)
})
