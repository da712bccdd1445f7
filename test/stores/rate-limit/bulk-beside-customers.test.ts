import { beforeEach, describe, expect, test, vi } from 'vitest'
import { expectNeverMoreThan } from '../../load/arrivals.js'
import { HandStore } from './hand-store.js'
import { sameChances } from './same-chances.js'
import { ratesOf } from './shop.js'

beforeEach(() => {
  sameChances()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'Date', 'performance'] })
})
describe.each([1, 3, 5, 8])('beside %i creates a second, bulk', (createsPerSecond) => {
  let local: ReturnType<typeof ratesOf> | undefined

  test.each([
    { processes: 1, kills: 0 },
    { processes: 4, kills: 3 },
    { processes: 8, kills: 3 },
  ])('of $processes processes, $kills of them killed, has what it would have alone', async (shop) => {
    local ??= ratesOf({ createsPerSecond, processes: 1 })
    const { bulk } = await local
    const store = new HandStore()
    store.travelMs = [1, 1]
    const shared = await ratesOf({ createsPerSecond, ...shop }, store)
    expectNeverMoreThan(10, shared.times)
    expect(shared.bulk).toBeGreaterThan(0.9 * bulk)
    expect(shared.whole).toBeGreaterThan(9)
  })
})
