import { describe, expect, test } from 'vitest'
import { measure } from '../../bench/processes/measure.mjs'
import { scenarios } from '../../bench/processes/scenarios.mjs'

function scenarioOf(name: string) {
  const found = scenarios.find((one) => one.name === name)
  if (found === undefined) throw new Error(`no scenario "${name}"`)
  return found
}

/** What `node bench/processes/run.mjs` measures for a minute, for a few seconds: a gateway that counts, with 0 to 80 ms of network. */
describe.each(['redis', 'postgres'] as const)('eight processes that share a budget over %s', (store) => {
  test('stay within it from a cold start, though one stands still and one has a wrong clock', async () => {
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
  })

  test('stay within it when the store is killed and started again, and none of their calls fails', async () => {
    const { mostInOneSecond, storeAway, failures } = await measure(
      scenarioOf('store killed, back after 3 s'),
      {
        store,
        seconds: 12,
      },
    )
    expect(mostInOneSecond).toBeLessThanOrEqual(10)
    expect(storeAway).toBeGreaterThanOrEqual(1)
    expect(failures).toEqual([])
  })

  test('leave a web create beside them a permit in time', async () => {
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

test('a Redis that is emptied again and again lets nobody send more', async () => {
  const { mostInOneSecond, failures } = await measure(scenarioOf('store emptied'), {
    store: 'node-redis',
    seconds: 9,
  })
  expect(mostInOneSecond).toBeLessThanOrEqual(10)
  expect(failures).toEqual([])
})
