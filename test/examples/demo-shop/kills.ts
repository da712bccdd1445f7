import { expect, test } from 'vitest'
import type { FaultAction } from '../../../sandbox/src/index.js'
import { ShopProcess, type Store } from './shop.js'
import { buyAndReturn } from './story.js'

/** A run waits far more than it computes: for a start, a callback, the outbox's next round. */
const atOnce = 6

const everywhere = ['before something is sent', 'before something is read']

/** What has to be among the points at which the shop died; else the test would have killed it nowhere. */
const pointsOf: Readonly<Record<Store, readonly string[]>> = {
  file: [
    ...everywhere,
    'before a line is written',
    'half of a line is written',
    'after a line is written',
    'after a line is on the disk',
  ],
  postgres: everywhere,
}

const faults: readonly FaultAction[] = [
  { kind: 'drop-after' },
  { kind: 'timeout', processed: true },
  { kind: 'drop-before' },
  { kind: 'status', status: 503 },
  { kind: 'callback-first' },
]

/** The shop is killed wherever it can be, over orders in this store. */
export function testKills(store: Store): void {
  const options = { store }

  test('is killed before and after each write, send and read, and there is one payin and one payout', async () => {
    const points: string[] = []
    let next = 1
    let isOver = false
    const runs = Array.from({ length: atOnce }, async () => {
      while (!isOver) {
        await using shop = await ShopProcess.open(options)
        await shop.start(next++)
        // Else it would be started again without a point to die at, and end alive as if there were no more.
        if (!shop.isRunning && shop.diedAt === undefined) throw new Error(`it did not start: ${shop.errors}`)
        await buyAndReturn(shop)
        const { diedAt } = shop
        // It has come to its end alive: there are no more points.
        if (diedAt === undefined) isOver = true
        else points.push(diedAt)
      }
    })
    await Promise.all(runs)
    expect([...new Set(points)].sort()).toEqual([...pointsOf[store]].sort())
    expect(points.length).toBeGreaterThan(30)
  }, 900_000)

  // The gateway's faults and the store have nothing to do with each other, so one store is enough for most.
  test.concurrent.for(store === 'file' ? faults : faults.slice(0, 1))(
    'is killed while the gateway does this to both creates: %o',
    { timeout: 120_000 },
    async (action, { expect }) => {
      await using shop = await ShopProcess.open(options)
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
}
