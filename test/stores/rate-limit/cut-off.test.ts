import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { IoRedisConnection } from '../../../src/stores/redis/index.js'
import { expectNeverMoreThan } from '../../load/arrivals.js'
import { HandStore, limitOver } from './hand-store.js'

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'Date', 'performance'] }),
)
/** The way of one process to the store. */
class Way implements IoRedisConnection {
  readonly #store: HandStore
  isCut = false
  /** How late its first response is. */
  firstMs = 0

  constructor(store: HandStore) {
    this.#store = store
  }

  async call(...command: Parameters<HandStore['call']>) {
    if (this.isCut) throw new Error('ECONNREFUSED')
    const lateMs = this.firstMs
    this.firstMs = 0
    const read = await this.#store.call(...command)
    if (lateMs > 0) await new Promise((resolve) => setTimeout(resolve, lateMs))
    return read
  }
}

/** @returns what ends it */
function start(way: Way, processes: number, times: number[]): AbortController {
  const ending = new AbortController()
  const { signal } = ending
  const limit = limitOver(way, { processes })
  void (async () => {
    while (!signal.aborted) {
      await limit.acquire(signal, { priority: 'customer' })
      times.push(performance.now())
      limit.sent()
    }
  })().catch(() => undefined)
  return ending
}

function mostInASecond(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return Math.max(...sorted.map((from, n) => sorted.findIndex((at, m) => m > n && at >= from + 1000) - n))
}

describe('processes that are cut off from the store while others have it', () => {
  // What they had before half of their share was enough: 14 with four of eight.
  test.each([
    { processes: 2, cut: 1, most: 13, aSecond: 11.6 },
    { processes: 4, cut: 1, most: 12, aSecond: 10.4 },
    { processes: 4, cut: 2, most: 14, aSecond: 11.6 },
    { processes: 8, cut: 1, most: 11, aSecond: 9.8 },
    { processes: 8, cut: 4, most: 13, aSecond: 11.6 },
    { processes: 8, cut: 7, most: 15, aSecond: 13.3 },
    { processes: 30, cut: 15, most: 16, aSecond: 11.4 },
  ])('$cut of $processes: no second has more than $most', async ({ processes, cut, most, aSecond }) => {
    const store = new HandStore()
    const ways = Array.from({ length: processes }, () => new Way(store))
    const times: number[] = []
    for (const way of ways) start(way, processes, times)
    await vi.advanceTimersByTimeAsync(5000)
    for (const way of ways.slice(0, cut)) way.isCut = true
    const cutAt = performance.now()
    await vi.advanceTimersByTimeAsync(60_000)
    const seen = mostInASecond(times)
    expect(seen).toBeLessThanOrEqual(most)
    // As docs/decisions/0010 has it.
    expect(times.filter((at) => at >= cutAt).length / 60).toBeLessThanOrEqual(aSecond)
  })
})

describe('without the store', () => {
  test.each([8, 12, 30])(
    '%i busy processes keep within the limit, also in the second in which it went',
    async (processes) => {
      const store = new HandStore()
      const ways = Array.from({ length: processes }, () => new Way(store))
      const times: number[] = []
      for (const way of ways) start(way, processes, times)
      await vi.advanceTimersByTimeAsync(9000)
      for (const way of ways) way.isCut = true
      await vi.advanceTimersByTimeAsync(60_000)
      expectNeverMoreThan(10, times)
    },
  )
})

test('thirty processes that start one after another, and whose first responses come late, keep within the limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(20, 100, 200, 400),
      fc.constantFrom(0, 1000, 3000),
      fc.boolean(),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 30, maxLength: 30 }),
      async (firstMs, spreadMs, isNew, starts) => {
        const store = new HandStore()
        store.travelMs = [1, 1]
        if (isNew) store.forget()
        const times: number[] = []
        const endings: AbortController[] = []
        for (const at of starts) {
          const way = new Way(store)
          way.firstMs = firstMs
          setTimeout(() => endings.push(start(way, 30, times)), at * spreadMs)
        }
        await vi.advanceTimersByTimeAsync(8000)
        for (const ending of endings) ending.abort()
        await vi.advanceTimersByTimeAsync(100)
        expectNeverMoreThan(10, times)
        expect(times.length).toBeGreaterThan(isNew ? 20 : 45)
      },
    ),
    { numRuns: 15 },
  )
})
