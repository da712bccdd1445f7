import { describe, expect, test } from 'vitest'
import { measure } from '../../bench/processes/measure.mjs'
import { scenarios } from '../../bench/processes/scenarios.mjs'

function scenarioOf(name: string) {
  const found = scenarios.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no scenario "${name}"`)
  return found
}

const stores = ['redis', 'postgres'] as const

/**
 * What `node bench/processes/run.mjs` measures for a minute, for a few seconds: a gateway that counts, with 0 to 80 ms
 * of network. Those of one kind are side by side, each over a server of its own: they wait far more than they compute.
 */
describe('eight processes that share a rate limit', () => {
  describe.concurrent('stay within it', () => {
    test.each(stores)(
      'from a cold start over %s, though one stands still and one has a wrong clock',
      async (store) => {
        const { mostInOneSecond, perSecond, failures } = await measure(
          {
            name: 'all at once',
            isCold: true,
            role: (n) => (n === 0 ? { blockedMs: 1000 } : n === 1 ? { wallOffMs: 30_000 } : {}),
          },
          { store, seconds: 9 },
        )
        expect(mostInOneSecond).toBeLessThanOrEqual(10)
        // They go on. How fast, and for how many calls of the store, is measured by `node bench/processes/run.mjs`.
        expect(perSecond).toBeGreaterThan(1)
        expect(failures).toEqual([])
      },
    )
  })

  describe.concurrent('stay within it when the store', () => {
    test.each(stores)(
      'is killed and started again, over %s, and none of their calls fails',
      async (store) => {
        const { mostInOneSecond, storeAway, failures } = await measure(
          scenarioOf('store killed, back after 3 s'),
          { store, seconds: 12 },
        )
        expect(mostInOneSecond).toBeLessThanOrEqual(10)
        expect(storeAway).toBeGreaterThanOrEqual(1)
        expect(failures).toEqual([])
      },
    )

    test('is emptied again and again, over Redis', async () => {
      const { mostInOneSecond, failures } = await measure(scenarioOf('store emptied'), {
        store: 'node-redis',
        seconds: 9,
      })
      expect(mostInOneSecond).toBeLessThanOrEqual(10)
      expect(failures).toEqual([])
    })
  })

  describe.concurrent('in bulk', () => {
    test.each(stores)('leave a web create beside them a permit in time, over %s', async (store) => {
      const { mostInOneSecond, webWaits, leastShare } = await measure(
        scenarioOf('8 in bulk, and a web create now and then'),
        { store, seconds: 9 },
      )
      expect(mostInOneSecond).toBeLessThanOrEqual(10)
      // Were it served in its turn among the others, these seconds would be over after three.
      expect(webWaits).toBeGreaterThan(5)
      expect(leastShare).toBeGreaterThan(0.3)
    })
  })
})
