import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { Clock } from '../../src/gateway/clock/clock.js'

describe('the virtual clock', () => {
  test('stands still until it is turned, and runs what falls due on the way, each at its own time', async () => {
    const clock = new Clock('virtual', 1000)
    const seen: [string, number][] = []
    clock.schedule(20, () => seen.push(['second', clock.now()]))
    clock.schedule(10, () => {
      seen.push(['first', clock.now()])
      clock.schedule(5, () => seen.push(['between', clock.now()]))
    })
    clock.schedule(31, () => seen.push(['too late', clock.now()]))
    expect(clock.now()).toBe(1000)
    await clock.advance(30)
    expect(seen).toEqual([
      ['first', 1010],
      ['between', 1015],
      ['second', 1020],
    ])
    expect(clock.now()).toBe(1030)
  })

  test('runs timers by time and, at equal times, in the order in which they were set, and none that was cancelled', async () => {
    const step = fc.record({ delay: fc.integer({ min: 0, max: 20 }), isCancelled: fc.boolean() })
    const steps = fc.array(step, { maxLength: 50 })
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const clock = new Clock('virtual', 0)
        const seen: number[] = []
        for (const [index, { delay, isCancelled }] of all.entries()) {
          const timer = clock.schedule(delay, () => seen.push(index))
          if (isCancelled) timer.cancel()
        }
        await clock.advance(20)
        const kept = [...all.keys()].filter((index) => all[index]?.isCancelled === false)
        const due = (index: number) => all[index]?.delay ?? 0
        expect(seen).toEqual(kept.sort((a, b) => due(a) - due(b) || a - b))
      }),
      { numRuns: 30 },
    )
  })

  test('adds up turns that are asked for at once', async () => {
    const clock = new Clock('virtual', 0)
    const times: number[] = []
    clock.schedule(15, () => times.push(clock.now()))
    await Promise.all([clock.advance(10), clock.advance(10)])
    expect(times).toEqual([15])
    expect(clock.now()).toBe(20)
  })

  test('turns with fake timers too', async () => {
    vi.useFakeTimers()
    const clock = new Clock('virtual', 0)
    await clock.advance(5)
    expect(clock.now()).toBe(5)
  })

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses to be turned by %d', (ms) => {
    expect(() => new Clock('virtual', 0).advance(ms)).toThrow('a number of milliseconds')
  })
})

describe('the real clock', () => {
  test('follows the time of the machine, with one timeout for everything that waits', () => {
    vi.useFakeTimers({ now: 5000 })
    const clock = new Clock('real', undefined)
    const seen: number[] = []
    for (const delay of [30, 10, 20]) clock.schedule(delay, () => seen.push(clock.now()))
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(25)
    expect(seen).toEqual([5010, 5020])
    vi.advanceTimersByTime(25)
    expect(seen).toEqual([5010, 5020, 5030])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('runs from startAt, which is how a skewed gateway is made', () => {
    vi.useFakeTimers({ now: 5000 })
    const clock = new Clock('real', 1_000_000)
    vi.advanceTimersByTime(70)
    expect(clock.now()).toBe(1_000_070)
  })

  test('waits for longer than a timeout of Node can', () => {
    vi.useFakeTimers({ now: 0 })
    const clock = new Clock('real', undefined)
    const month = 31 * 24 * 60 * 60 * 1000
    let rang = false
    clock.schedule(month, () => {
      rang = true
    })
    vi.advanceTimersByTime(month - 1)
    expect(rang).toBe(false)
    vi.advanceTimersByTime(2)
    expect(rang).toBe(true)
  })

  test('cannot be turned', () => {
    expect(() => new Clock('real', undefined).advance(1)).toThrow("createSandbox({ clock: 'virtual' })")
  })

  test('leaves no timer behind when it is closed', () => {
    vi.useFakeTimers()
    const clock = new Clock('real', undefined)
    clock.schedule(10, () => {})
    clock.close()
    clock.schedule(10, () => {})
    expect(vi.getTimerCount()).toBe(0)
  })
})
