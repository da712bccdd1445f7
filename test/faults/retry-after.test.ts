import { expect, test, vi } from 'vitest'
import { fetchGateway } from './fetch-gateway.js'
import { found } from './servers.js'
import { clientOf, failure } from './support.js'

const aYear = { status: 429, headers: { 'retry-after': '31536000' } }

test('a year in one header costs a minute, and neither the call nor the client', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  let tries = 0
  const { fetch, arrivals } = fetchGateway(() =>
    tries++ === 0 ? Response.json({}, aYear) : Response.json(found('payout')),
  )
  const client = clientOf('https://gateway.example', 'undici', { fetch, deadlineMs: 120_000 })
  const call = client.payouts.retrieve('order-1')
  await vi.advanceTimersByTimeAsync(50_000)
  const other = client.payouts.retrieve('order-1', { deadlineMs: 11_000 })
  await vi.advanceTimersByTimeAsync(9_000)
  expect(arrivals.filter(({ method }) => method === 'GET').length).toBe(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await Promise.all([call, other])).toEqual([found('payout'), found('payout')])
  await client.close()
})

test('asked for a year again and again, the gateway is tried once a minute until the deadline, which says so', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  const { fetch, arrivals } = fetchGateway(() => Response.json({}, aYear))
  const client = clientOf('https://gateway.example', 'undici', { fetch, deadlineMs: 600_000 })
  const call = failure(client.payouts.retrieve('order-1'))
  await vi.advanceTimersByTimeAsync(600_000)
  expect(await call).toMatchObject({ code: 'rate_limit', status: 429, retryAfterMs: 31_536_000_000 })
  const at = arrivals.filter(({ method }) => method === 'GET').map(({ atMs }) => atMs)
  expect(at.length).toBe(10)
  for (const [n, ms] of at.slice(1).entries()) expect(ms - (at[n] ?? 0)).toBeGreaterThanOrEqual(60_000)
  await client.close()
})
