import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { operation } from '../../../src/index.js'
import { clientOf } from '../../faults/support.js'
import { bearer } from '../../support/gateway.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => expect(vi.getTimerCount()).toBe(0))

/** A gateway whose token endpoint fails a few times first. */
function failing(times: number, afterMs = 0) {
  let asked = 0
  const fetch: typeof globalThis.fetch = async (input) => {
    if (!String(input).includes('/auth-tokens')) return Response.json({})
    asked++
    await new Promise((resolve) => setTimeout(resolve, afterMs))
    return asked <= times ? Response.json({}, { status: 503 }) : Response.json({ token: bearer })
  }
  return { fetch, asked: () => asked }
}

it('a token request is tried as often as the most patient of its callers allows', async () => {
  const { fetch, asked } = failing(3)
  await using client = clientOf('https://gateway.example', 'fetch', { fetch, retries: 0 })
  const calls = Promise.all([
    client.payins.retrieve('order-1', { retries: 0 }),
    client.payins.retrieve('order-2', { retries: 3 }),
    client.payins.retrieve('order-3'),
  ])
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await calls).toEqual([{}, {}, {}])
  expect(asked()).toBe(4)
})

it('a token request waits for its permit for as long as the call that asks for it', async () => {
  let refused = false
  const fetch: typeof globalThis.fetch = async (input) => {
    if (String(input).includes('/auth-tokens')) return Response.json({ token: bearer })
    if (refused) return Response.json({})
    refused = true
    return new Response('', { status: 429, headers: { 'retry-after': '10' } })
  }
  await using client = clientOf('https://gateway.example', 'fetch', { fetch, deadlineMs: 3_000 })
  const first = client.payins.retrieve('order-1').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(100)
  expect(await first).toMatchObject({ code: 'rate_limit' })
  // Another token; and more patience than the client's own.
  const report = { method: 'GET', path: '/reports', operations: [operation('GET', '/reports')] } as const
  const patient = client.request(report, { deadlineMs: 60_000 }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await patient).toEqual({})
})

it('and goes on waiting for it when a more patient call joins', async () => {
  const { fetch, asked } = failing(0)
  const permits: (() => void)[] = []
  const acquire = () => new Promise<void>((resolve) => permits.push(resolve))
  const options = { fetch, deadlineMs: 3_000, rateLimit: { acquire } }
  await using client = clientOf('https://gateway.example', 'fetch', options)
  const hasty = client.payins.retrieve('order-1').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1_000)
  const patient = client.payins.retrieve('order-2', { deadlineMs: 60_000 }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await hasty).toMatchObject({ code: 'timeout' })
  for (let n = 0; n < 4; n++) {
    for (const permit of permits.splice(0)) permit()
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(await patient).toEqual({})
  expect(asked()).toBe(1)
})
