import { expect, test } from 'vitest'
import type { FaultAction } from '../../../packages/sandbox/src/index.js'
import { ShopProcess } from './shop.js'
import { buyAndReturn } from './story.js'

/** A run waits far more than it computes: for a start, a callback, the next try. */
const atOnce = 6

/** What has to be among the points at which the shop died; else the test would have killed it nowhere. */
const points = [
  'after an order has its name',
  'after an order is written',
  'before an order is written',
  'before something is read',
  'before something is sent',
  'half of an order is written',
]

const faults: readonly FaultAction[] = [
  { kind: 'drop-after' },
  { kind: 'timeout', processed: true },
  { kind: 'drop-before' },
  { kind: 'status', status: 503 },
  { kind: 'callback-first' },
]

test('the demo shop is killed before and after each write, send and read: one payin, one parcel, two refunds', async () => {
  const deaths: string[] = []
  let next = 1
  let isOver = false
  const runs = Array.from({ length: atOnce }, async () => {
    while (!isOver) {
      await using shop = await ShopProcess.open()
      await shop.start(next++)
      // Else it would be started again without a point to die at, and end alive as if there were no more.
      if (!shop.isRunning && shop.diedAt === undefined) throw new Error(`it did not start: ${shop.errors}`)
      await buyAndReturn(shop)
      const { diedAt } = shop
      // It has come to its end alive: there are no more points.
      if (diedAt === undefined) isOver = true
      else deaths.push(diedAt)
    }
  })
  await Promise.all(runs)
  expect([...new Set(deaths)].sort()).toEqual(points)
  expect(deaths.length).toBeGreaterThan(30)
}, 900_000)

test.concurrent.for(faults)(
  'the demo shop is killed while the gateway does this to creates: %o',
  { timeout: 120_000 },
  async (action, { expect }) => {
    await using shop = await ShopProcess.open()
    await shop.start()
    await buyAndReturn(shop, async (step) => {
      const route = step === 'order' ? 'POST /payins/{idPayin}' : 'POST /payouts/{idPayout}'
      const fault = shop.sandbox.fault({ route, action, times: Number.POSITIVE_INFINITY })
      await expect.poll(() => fault.hits, { interval: 5, timeout: 20_000 }).toBeGreaterThan(0)
      await shop.kill()
      fault.remove()
    })
  },
)
