import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { expectNeverMoreThan } from '../load/arrivals.js'
import { runShop } from './shop.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('from paid to known', () => {
  test('four processes take no more than one and a half times as long as one, at three orders a second', async () => {
    // At nine of the ten requests a second, the p95 of one run is that of its chances.
    const sums = { one: { medianMs: 0, p95Ms: 0 }, four: { medianMs: 0, p95Ms: 0 } }
    for (let seed = 0; seed < 8; seed++) {
      const load = { ordersPerSecond: 3, seconds: 30, seed }
      const one = await runShop({ ...load, processes: 1 })
      const four = await runShop({ ...load, processes: 4 })
      expect(four).toMatchObject({ known: 90, calledTwice: 0, pending: 0 })
      if (seed === 0) expect(four.unavailable).toBe(0)
      expect(four.lookups).toBeLessThanOrEqual(180)
      for (const [sum, run] of [
        [sums.one, one],
        [sums.four, four],
      ] as const) {
        sum.medianMs += run.medianMs
        sum.p95Ms += run.p95Ms
      }
    }
    expect(sums.four.medianMs).toBeLessThan(1.5 * sums.one.medianMs)
    expect(sums.four.p95Ms).toBeLessThan(1.5 * sums.one.p95Ms)
  })

  test('a store that is slow on a busy machine makes it no matter of seconds', async () => {
    const four = await runShop({ ordersPerSecond: 3, seconds: 30, processes: 4, storeMs: 12 })
    expect(four.medianMs).toBeLessThan(600)
    expect(four).toMatchObject({ known: 90, calledTwice: 0, pending: 0 })
  })

  test('of four orders a second, more than can be requested at each change, the outcome is known in seconds', async () => {
    const four = await runShop({ ordersPerSecond: 4, seconds: 30, processes: 4 })
    expect(four.p95Ms).toBeLessThan(2000)
    expect(four).toMatchObject({ known: 120, calledTwice: 0, pending: 0 })
    expectNeverMoreThan(10, four.requestedAt)
  })

  test.each([1, 4])(
    '%i processes: a minute of six orders a second is over when its cause is, and each payment costs one status request',
    async (processes) => {
      const shop = await runShop({ ordersPerSecond: 6, seconds: 60, processes })
      expect(shop).toMatchObject({ known: 360, calledTwice: 0, pending: 0 })
      // A create and a status request for each, ten requests a second: that alone takes 12 s longer than the orders do.
      expect(shop.overMs).toBeLessThan(16_000)
      expect(shop.lookupsUntilKnown).toBeLessThan(1.05 * 360)
      expectNeverMoreThan(10, shop.requestedAt)
    },
  )
})
