import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClientSettings } from '../../../../src/index.js'
import { expectNeverMoreThan } from '../../../load/arrivals.js'
import { goodAnswer, readyClient } from '../support.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))

const tick = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const inWindows = (requestsPerSecond: number) => ({ requestsPerSecond, counted: 'in-windows' }) as const

/** A client whose first request was long ago. */
async function restedClient(rateLimit: ClientSettings['rateLimit'], answer?: () => Promise<Response>) {
  const [ready] = await Promise.all([readyClient({ rateLimit, deadlineMs: 200_000 }, answer), tick(10_000)])
  return { ...ready, send: () => ready.client.payins.retrieve('order-1') }
}

describe('never more than ten requests arrive in any 1000 ms', () => {
  it('whenever they come, over connections that are made fast or slowly', async () => {
    const arrivals = fc.array(
      fc.record({ waitMs: fc.integer({ min: 0, max: 1_500 }), connectMs: fc.integer({ min: 0, max: 900 }) }),
      { minLength: 1, maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(arrivals, fc.boolean(), async (list, burst) => {
        const connectMs = list.map((one) => (one.waitMs % 3 === 0 ? one.connectMs : 0))
        const times: number[] = []
        const { send } = await restedClient(inWindows(10), async () => {
          // A fetch that doesn't say when it writes: what is idle for two seconds is connected anew.
          const idleMs = performance.now() - (times.at(-1) ?? Number.NEGATIVE_INFINITY)
          const ms = idleMs > 2_000 ? (connectMs.shift() ?? 0) : 0
          if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
          times.push(performance.now())
          return goodAnswer()
        })
        const calls: Promise<unknown>[] = []
        for (const { waitMs } of list) {
          if (!burst || waitMs > 1_200) await tick(waitMs)
          calls.push(send())
        }
        await tick(60_000)
        await Promise.all(calls)
        expect(times).toHaveLength(list.length)
        expectNeverMoreThan(10, times)
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    ['back by an hour', -3_600_000],
    ['forward by an hour', 3_600_000],
    ['back by a second', -1_000],
    ['forward by a second', 1_000],
  ])('when somebody sets the clock %s, and nobody waits for it', async (_how, ms) => {
    const { send, times } = await restedClient(inWindows(10))
    for (let n = 0; n < 15; n++) void send()
    await tick(300)
    vi.setSystemTime(Date.now() + ms)
    for (let n = 0; n < 25; n++) void send()
    await tick(6_000)
    expect(times()).toHaveLength(40)
    expectNeverMoreThan(10, times())
  })

  it('with a margin for a network that squeezes requests together', async () => {
    const { send, times } = await restedClient(inWindows(10))
    for (let n = 0; n < 31; n++) void send()
    await tick(10_000)
    // The first of each ten may arrive 40 ms late, and the eleventh after it must still be a second later.
    const gaps = times()
      .slice(10)
      .map((at, n) => at - (times()[n] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1040)
  })
})

describe('at another rate', () => {
  it.each([1, 3, 50])('%i arrive in a second', async (rate) => {
    const { send, times } = await restedClient(inWindows(rate))
    for (let n = 0; n < rate * 3; n++) void send()
    await tick(rate === 1 ? 2_200 : 2_170)
    expect(times()).toHaveLength(rate * 3)
    expectNeverMoreThan(rate, times())
  })

  it('below one a second is one request in a longer time', async () => {
    const { send, times } = await restedClient(0.25)
    const from = performance.now()
    for (let n = 0; n < 4; n++) void send()
    await tick(13_000)
    expect(times().map((at) => at - from)).toEqual([0, 4320, 8640, 12_960])
  })

  it('with a fraction above one is never more than the whole number in a second', async () => {
    const { send, times } = await restedClient(2.5)
    for (let n = 0; n < 20; n++) void send()
    await tick(10_000)
    expectNeverMoreThan(2, times())
    expect(times()).toHaveLength(20)
  })
})

it('background work without end has all of the limit, evenly spaced', async () => {
  const { client, times } = await restedClient(inWindows(10))
  const ending = new AbortController()
  const work = async () => {
    while (!ending.signal.aborted) {
      const options = { priority: 'background', signal: ending.signal } as const
      await client.payins.retrieve('order-1', options).catch(() => undefined)
    }
  }
  const working = Array.from({ length: 20 }, work)
  await tick(10_800)
  ending.abort()
  await Promise.all(working)
  const gaps = times()
    .slice(1)
    .map((at, n) => at - (times()[n] ?? 0))
  expect(Math.max(...gaps)).toBeLessThanOrEqual(109)
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(108)
})
