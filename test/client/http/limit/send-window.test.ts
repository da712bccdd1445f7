import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { PermitQueue } from '../../../../src/client/http/limit/queue.js'
import { permitQueue } from '../../../../src/client/http/limit/rate-limit.js'
import { Observer } from '../../../../src/client/observe/observer.js'
import { response } from '../../../support/failures.js'
import { asking } from './asking.js'

beforeEach(() => void vi.useFakeTimers())
const observer = new Observer({
  origin: 'https://gateway.example',
  basePath: '',
  logger: undefined,
  slowCallMs: 1,
})

/** The most requests that went out within any 1000 ms. */
function mostInOneSecond(sentAt: readonly number[]): number {
  const sorted = [...sentAt].sort((a, b) => a - b)
  const counts = sorted.map((from) => sorted.filter((at) => at >= from && at < from + 1_000).length)
  return Math.max(0, ...counts)
}

/** Sends through a queue, so that the limiter is asked as it is in earnest. */
function sender(requestsPerSecond = 10) {
  const rate = { requestsPerSecond, counted: 'in-windows' } as const
  const queue = new PermitQueue({ rate, maxQueued: 100_000 })
  const sentAt: number[] = []
  const pending: Promise<void>[] = []
  /** Asks for one permit now; the request is on the wire `connectMs` after it. */
  const send = (connectMs = 0) => {
    const permit = queue.take(asking('customer', { remainingMs: 2 ** 31 - 1 }))
    const gone = () => {
      queue.sent()
      sentAt.push(performance.now())
    }
    pending.push(
      Promise.resolve(permit).then(() => {
        if (connectMs === 0) gone()
        else setTimeout(gone, connectMs)
      }),
    )
  }
  return { send, sentAt, queue, pending }
}

describe('background work without end', () => {
  const gapMs = 108
  const inWindowsOf = (rate: number) =>
    permitQueue({ requestsPerSecond: rate, counted: 'in-windows' }, 10_000, observer)

  it.each([100, 10, 5, 2])('has all of %i requests in a window, evenly spaced', async (rate) => {
    const queue = inWindowsOf(rate)
    const sentAt: number[] = []
    const work = async () => {
      while (!('kind' in (await queue.take(asking('background'))))) {
        queue.sent()
        sentAt.push(performance.now())
      }
    }
    const working = Array.from({ length: 2 * rate }, work)
    await vi.advanceTimersByTimeAsync(20 * 1080)
    const later = sentAt.filter((at) => at > performance.now() - 10 * 1080)
    // Timers have whole milliseconds.
    expect(later.length / 10).toBeGreaterThan(0.95 * rate)
    expect(mostInOneSecond(later)).toBeLessThanOrEqual(rate)
    const gaps = later.slice(1).map((at, n) => at - (later[n] ?? 0))
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1080 / rate + 1)
    queue.close()
    await Promise.all(working)
  })

  it('makes a create wait for one gap at most, whenever it comes', async () => {
    const queue = inWindowsOf(10)
    const work = async () => {
      while (!('kind' in (await queue.take(asking('background'))))) queue.sent()
    }
    const working = Array.from({ length: 100 }, work)
    const waitedMs: number[] = []
    for (let n = 0; n < 20; n++) {
      await vi.advanceTimersByTimeAsync(2000 + 37 * n)
      const askedAt = performance.now()
      const create = queue.take(asking('customer')).then(() => {
        waitedMs.push(performance.now() - askedAt)
        queue.sent()
      })
      await vi.advanceTimersByTimeAsync(gapMs)
      await create
    }
    expect(Math.max(...waitedMs)).toBeLessThanOrEqual(gapMs)
    queue.close()
    await Promise.all(working)
  })
})

describe('a share of the limit', () => {
  const sentWithin = async (rate: number, ms: number) => {
    const limiter = permitQueue(rate, 1000, observer)
    const sentAt: number[] = []
    for (let n = 0; n < 20; n++) {
      void limiter.take(asking('customer', { remainingMs: 2 ** 31 - 1 })).then(() => {
        limiter.answered(limiter.sent(), response(200), Date.now, 120_000)
        sentAt.push(performance.now())
      })
    }
    const from = performance.now()
    await vi.advanceTimersByTimeAsync(ms)
    const within = sentAt.map((at) => at - from)
    limiter.close()
    return within
  }

  it('below one a second is one request in a longer time', async () => {
    expect(await sentWithin(0.25, 13_000)).toEqual([0, 4320, 8640, 12_960])
  })

  it('with a fraction above one is never more than the whole number in a second', async () => {
    expect(mostInOneSecond(await sentWithin(2.5, 10_000))).toBe(2)
  })
})

describe('never more than ten requests in any 1000 ms', () => {
  it('for random arrivals, with connections that are fast or slow', async () => {
    const arrivals = fc.array(
      fc.record({ waitMs: fc.integer({ min: 0, max: 1_500 }), connectMs: fc.integer({ min: 0, max: 900 }) }),
      { minLength: 1, maxLength: 60 },
    )
    await fc.assert(
      fc.asyncProperty(arrivals, fc.boolean(), async (list, burst) => {
        const { send, sentAt, pending } = sender()
        for (const { waitMs, connectMs } of list) {
          if (!burst || waitMs > 1_200) await vi.advanceTimersByTimeAsync(waitMs)
          send(waitMs % 3 === 0 ? connectMs : 0)
        }
        await vi.advanceTimersByTimeAsync(60_000)
        await Promise.all(pending)
        expect(sentAt).toHaveLength(list.length)
        expect(mostInOneSecond(sentAt)).toBeLessThanOrEqual(10)
      }),
      { numRuns: 60 },
    )
  })

  it('for a hundred at once, which still take no more than eleven seconds', async () => {
    const { send, sentAt, pending } = sender()
    for (let n = 0; n < 100; n++) send()
    await vi.advanceTimersByTimeAsync(11_000)
    await Promise.all(pending)
    expect(mostInOneSecond(sentAt)).toBe(10)
  })

  it.each([
    ['back by an hour', -3_600_000],
    ['forward by an hour', 3_600_000],
    ['back by a second', -1_000],
    ['forward by a second', 1_000],
  ])('when somebody sets the clock %s, and nobody waits for it', async (_how, ms) => {
    const { send, sentAt } = sender()
    for (let n = 0; n < 15; n++) send()
    await vi.advanceTimersByTimeAsync(300)
    vi.setSystemTime(Date.now() + ms)
    for (let n = 0; n < 25; n++) send()
    await vi.advanceTimersByTimeAsync(6_000)
    expect(sentAt).toHaveLength(40)
    expect(mostInOneSecond(sentAt)).toBeLessThanOrEqual(10)
  })

  it('with a margin for a network that squeezes requests together', async () => {
    const { send, sentAt } = sender()
    for (let n = 0; n < 31; n++) send()
    await vi.advanceTimersByTimeAsync(10_000)
    // The first of each ten may arrive 40 ms late, and the eleventh after it must still be a second later.
    const gaps = sentAt.slice(10).map((at, n) => at - (sentAt[n] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1040)
  })

  it.each([1, 3, 50])('at another rate: %i', async (rate) => {
    const { send, sentAt } = sender(rate)
    for (let n = 0; n < rate * 3; n++) send()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(sentAt).toHaveLength(rate * 3)
    expect(mostInOneSecond(sentAt)).toBe(rate)
  })
})

describe('when nobody waits any more', () => {
  it('a wait for the next permit leaves no timer', async () => {
    const { send, queue, pending } = sender()
    for (let n = 0; n < 12; n++) send()
    await vi.advanceTimersByTimeAsync(10)
    const ended = Promise.allSettled(pending)
    queue.close()
    await ended
    await vi.advanceTimersByTimeAsync(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('nor does one for a place in the window', async () => {
    const { send, queue } = sender(1)
    send(1_500)
    await vi.advanceTimersByTimeAsync(10)
    const controller = new AbortController()
    const waiting = queue.take(asking('customer', { signal: controller.signal }))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(vi.getTimerCount()).toBe(2)
    controller.abort()
    expect(await waiting).toMatchObject({ kind: 'aborted' })
    expect(vi.getTimerCount()).toBe(0)
  })
})
