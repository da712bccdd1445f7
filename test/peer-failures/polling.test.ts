import { afterEach, describe, expect, test, vi } from 'vitest'
import { fetchGateway } from '../faults/fetch-gateway.js'
import { listenToDrift } from '../faults/quiet.js'
import { found } from '../faults/servers.js'
import { clientOf, failure, type Kind } from '../faults/support.js'

listenToDrift()

afterEach(() => {
  vi.useRealTimers()
})

function holdTheClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
}

function withStatus(kind: Kind, status: unknown) {
  return { ...found(kind), process: { status, createdAt: '2026-11-01T10:00:00.000Z' } }
}

describe.each(['payin', 'payout'] as const)('waiting for a %s', (kind) => {
  test('PEER 19: an unknown status keeps the gaps and the limit', async () => {
    holdTheClock()
    const { fetch, arrivals } = fetchGateway(() => Response.json(withStatus(kind, 'QUANTUM_HELD')))
    const client = clientOf('https://gateway.example', 'undici', { fetch })
    const resource = kind === 'payin' ? client.payins : client.payouts
    const wait = failure(resource.waitFor('order-1', { maxWaitMs: 600_000 }))
    await vi.advanceTimersByTimeAsync(600_000)
    const error = await wait
    expect(error).toMatchObject({ code: 'wait_timeout', message: expect.stringContaining('QUANTUM_HELD') })
    expect(error.lastPayment).toEqual(withStatus(kind, 'QUANTUM_HELD'))
    const looks = arrivals.filter(({ method }) => method === 'GET').map(({ atMs }) => atMs)
    expect(looks.length).toBeGreaterThan(30)
    expect(looks.length).toBeLessThan(70)
    const gaps = looks.slice(1).map((at, n) => at - (looks[n] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(800)
    expect(Math.max(...gaps)).toBeLessThanOrEqual(18_000)
    expect((looks.at(-1) ?? 0) - (looks[0] ?? 0)).toBeLessThanOrEqual(600_000)
    await client.close()
  })

  test.each<[string, unknown]>([
    ['no process', undefined],
    ['a process that is null', null],
    ['a status that is a number', { status: 7 }],
    ['an empty status', { status: '' }],
    ['a processedAt that is null', { status: 'SENT', processedAt: null }],
  ])('PEER 19: %s is not final, and not a busy loop', async (_name, process) => {
    holdTheClock()
    const { fetch, arrivals } = fetchGateway(() => Response.json({ ...found(kind), process }))
    const client = clientOf('https://gateway.example', 'undici', { fetch })
    const resource = kind === 'payin' ? client.payins : client.payouts
    const wait = failure(resource.waitFor('order-1', { maxWaitMs: 30_000 }))
    await vi.advanceTimersByTimeAsync(30_000)
    // What cannot be used is thrown, what is only unknown is waited for.
    expect(['wait_timeout', 'unusable_response']).toContain((await wait).code)
    expect(arrivals.length).toBeLessThan(12)
    await client.close()
  })

  test('PEER 19: failing looks keep the gaps, too, and the last failure is the cause', async () => {
    holdTheClock()
    const { fetch, arrivals } = fetchGateway(() => Response.json({}, { status: 503 }))
    const client = clientOf('https://gateway.example', 'undici', { fetch, retries: 0 })
    const resource = kind === 'payin' ? client.payins : client.payouts
    const wait = failure(resource.waitFor('order-1', { maxWaitMs: 60_000 }))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await wait).toMatchObject({ code: 'wait_timeout', cause: { code: 'server' } })
    expect(arrivals.length).toBeLessThan(15)
    await client.close()
  })

  test('PEER 19: somebody who cries wolf does not make it a busy loop', async () => {
    holdTheClock()
    const { fetch, arrivals } = fetchGateway(() => Response.json(withStatus(kind, 'PENDING')))
    const client = clientOf('https://gateway.example', 'undici', { fetch, rateLimit: 10 })
    const resource = kind === 'payin' ? client.payins : client.payouts
    const wait = failure(resource.waitFor('order-1', { maxWaitMs: 10_000 }))
    for (let ms = 0; ms < 10_000; ms += 10) {
      resource.notify('order-1')
      await vi.advanceTimersByTimeAsync(10)
    }
    expect((await wait).code).toBe('wait_timeout')
    expect(arrivals.length).toBeLessThanOrEqual(110)
    await client.close()
  })

  test('the one status that the specification names ends the wait at once', async () => {
    const { fetch, arrivals } = fetchGateway(() => Response.json(withStatus(kind, 'SUCCESS')))
    await using client = clientOf('https://gateway.example', 'undici', { fetch })
    const resource = kind === 'payin' ? client.payins : client.payouts
    expect(await resource.waitFor('order-1', { maxWaitMs: 1000 })).toEqual(withStatus(kind, 'SUCCESS'))
    expect(arrivals.length).toBe(2)
  })
})
