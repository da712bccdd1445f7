import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Failure } from '../../../../src/client/http/failure.js'
import type { Limiter } from '../../../../src/client/http/limit/limiter.js'
import type { Granted } from '../../../../src/client/http/limit/queue.js'
import { PermitQueue } from '../../../../src/client/http/limit/queue.js'
import { response } from '../../../support/failures.js'
import { asking } from './asking.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => expect(vi.getTimerCount()).toBe(0))

/** A limiter whose permits come when the test says so. */
class Gate implements Limiter {
  asked = 0
  sentCount = 0
  readonly #open: (() => void)[] = []

  acquire(signal: AbortSignal): Promise<void> {
    this.asked++
    return new Promise((resolve) => {
      this.#open.push(resolve)
      signal.addEventListener('abort', () => {
        this.#open.splice(this.#open.indexOf(resolve), 1)
        resolve()
      })
    })
  }

  sent(): void {
    this.sentCount++
  }

  async permit(): Promise<void> {
    this.#open.shift()?.()
    await vi.advanceTimersByTimeAsync(0)
  }
}

const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

/** The failure that a call for a permit ends with. */
async function failureOf(take: () => Promise<Granted | Failure>): Promise<Failure> {
  const came = await take()
  if (!('kind' in came)) throw new Error('the permit was granted')
  return came
}

describe('a permit', () => {
  it('is there for all that come at once when there is no limiter, however few may wait', async () => {
    const queue = new PermitQueue({ maxQueued: 1 })
    const takes = Array.from({ length: 50 }, () => queue.take(asking('customer')))
    expect((await Promise.all(takes)).filter((one) => 'kind' in one)).toEqual([])
  })

  it('goes to tokens before customers, and to these before the background', async () => {
    const gate = new Gate()
    const queue = new PermitQueue({ limiter: gate, maxQueued: 100 })
    const granted: string[] = []
    const order = ['background', 'customer', 'token', 'customer', 'background'] as const
    const all = order.map((priority, n) =>
      queue.take(asking(priority)).then(() => granted.push(`${priority} ${n}`)),
    )
    expect(queue.queued).toBe(5)
    await tick()
    for (const _ of order) await gate.permit()
    await Promise.all(all)
    expect(granted).toEqual(['token 2', 'customer 1', 'customer 3', 'background 0', 'background 4'])
    expect(queue.queued).toBe(0)
  })

  it('is asked for one at a time', async () => {
    const gate = new Gate()
    const queue = new PermitQueue({ limiter: gate, maxQueued: 100 })
    const both = [queue.take(asking('customer')), queue.take(asking('customer'))]
    await tick()
    expect(gate.asked).toBe(1)
    await gate.permit()
    await gate.permit()
    await Promise.all(both)
  })

  it('tells the limiter when its request has gone out', () => {
    const gate = new Gate()
    new PermitQueue({ limiter: gate, maxQueued: 1 }).sent()
    expect(gate.sentCount).toBe(1)
  })
})

describe('a permit that is good for a time', () => {
  const limiter = (permits: (number | undefined)[]) => {
    const log: string[] = []
    const acquire = () => {
      const goodForMs = permits.shift()
      log.push('asked')
      return goodForMs === undefined ? undefined : { useBefore: performance.now() + goodForMs }
    }
    return { log, acquire, sent: () => log.push('sent') }
  }
  const taken = async (queue: PermitQueue) => {
    const came = await queue.take(asking('customer'))
    if ('kind' in came) throw new Error(came.kind)
    return came
  }

  it('is good until then, and no longer', async () => {
    const queue = new PermitQueue({ limiter: limiter([40]), maxQueued: 10 })
    const permit = await taken(queue)
    await tick(40)
    expect(queue.isGood(permit)).toBe(true)
    await tick(1)
    expect(queue.isGood(permit)).toBe(false)
  })

  it('and comes too late is given back, and another is asked for after a breath', async () => {
    const { log, ...late } = limiter([-1, -1, 40])
    const queue = new PermitQueue({ limiter: late, maxQueued: 10 })
    const permit = taken(queue)
    await tick()
    expect(log).toEqual(['asked', 'sent'])
    await tick(1)
    expect(log).toEqual(['asked', 'sent', 'asked', 'sent'])
    await tick(1)
    expect(queue.isGood(await permit)).toBe(true)
  })

  it('is good at any time when the limiter says nothing of it, but not after a pause of all', async () => {
    const queue = new PermitQueue({ limiter: limiter([]), maxQueued: 10 })
    const permit = await taken(queue)
    await tick(3_600_000)
    expect(queue.isGood(permit)).toBe(true)
    queue.pause(100)
    await tick(200)
    expect(queue.isGood(permit)).toBe(false)
    expect(queue.isGood(await taken(queue))).toBe(true)
  })
})

describe('a limiter that many share', () => {
  /** Says with which priority it is asked, and gives its permits when the test says so. */
  function shared() {
    const asked: string[] = []
    const pauses: number[] = []
    let give: (() => void) | undefined
    const limiter: Limiter = {
      acquire: (signal, { priority }) =>
        new Promise((resolve, reject) => {
          asked.push(priority)
          give = resolve
          signal.addEventListener('abort', () => {
            asked.push(`${priority} given up`)
            reject(signal.reason)
          })
        }),
      pause: (ms) => pauses.push(ms),
    }
    return { limiter, asked, pauses, give: () => give?.() }
  }

  it('hears whether a customer waits, also when one comes while it is asked for the background', async () => {
    const { limiter, asked, give } = shared()
    const queue = new PermitQueue({ limiter, maxQueued: 10 })
    const served: string[] = []
    const take = (priority: 'customer' | 'background', flow: string) =>
      queue.take(asking(priority, { flow })).then(() => served.push(flow))
    const all = [take('background', 'payouts.create'), take('background', 'poll')]
    await tick()
    all.push(take('customer', 'payins.create'))
    await tick()
    expect(asked).toEqual(['background', 'background given up', 'customer'])
    for (const _ of all) {
      give()
      await tick()
    }
    await Promise.all(all)
    expect(served).toEqual(['payins.create', 'payouts.create', 'poll'])
    expect(asked.slice(3)).toEqual(['background', 'background'])
  })

  it('hears of a 429 once for each pause that is longer', () => {
    const { limiter, pauses } = shared()
    const queue = new PermitQueue({ limiter, maxQueued: 10 })
    queue.pause(2_000)
    queue.pause(1_000)
    queue.pause(3_000)
    expect(pauses).toEqual([2_000, 3_000])
  })
})

describe('waiting for a permit ends', () => {
  it('for one too many', async () => {
    const gate = new Gate()
    const queue = new PermitQueue({ limiter: gate, maxQueued: 2 })
    const waiting = [queue.take(asking('customer')), queue.take(asking('customer'))]
    expect(await failureOf(() => queue.take(asking('customer')))).toEqual({ kind: 'queue-full' })
    await gate.permit()
    const third = queue.take(asking('customer'))
    await gate.permit()
    await gate.permit()
    await Promise.all([...waiting, third])
  })

  it('for everybody when the client is closed, and nobody may come after', async () => {
    const queue = new PermitQueue({ limiter: new Gate(), maxQueued: 100 })
    const waiting = [
      failureOf(() => queue.take(asking('customer'))),
      failureOf(() => queue.take(asking('background'))),
    ]
    queue.close()
    queue.close()
    expect(await Promise.all(waiting)).toEqual([{ kind: 'closed' }, { kind: 'closed' }])
    expect(await failureOf(() => queue.take(asking('token')))).toEqual({ kind: 'closed' })
  })

  it('with the cause when a limiter of your own fails, one call for each failure', async () => {
    const cause = new Error('redis is down')
    const acquire = vi.fn((): Promise<void> => Promise.reject(cause))
    const queue = new PermitQueue({ limiter: { acquire }, maxQueued: 100 })
    const waiting = [1, 2, 3].map(() => failureOf(() => queue.take(asking('customer'))))
    expect(await Promise.all(waiting)).toEqual(Array(3).fill({ kind: 'limiter', cause }))
    expect(acquire).toHaveBeenCalledTimes(3)
  })

  it('when the caller leaves, also where the limiter rejects after that', async () => {
    let reject: (cause: Error) => void = () => {}
    const acquire = () => new Promise<void>((_, no) => (reject = no))
    const queue = new PermitQueue({ limiter: { acquire }, maxQueued: 10 })
    const controller = new AbortController()
    const failed = failureOf(() => queue.take(asking('customer', { signal: controller.signal })))
    controller.abort()
    reject(new Error('too late'))
    expect((await failed).kind).toBe('aborted')
  })
})

describe('a pause after a 429', () => {
  it('holds everybody back, also without a limiter', async () => {
    const queue = new PermitQueue({ maxQueued: 100 })
    queue.pause(1_000)
    const granted = vi.fn()
    const waiting = queue.take(asking('customer')).then(granted)
    await tick(999)
    expect(granted).not.toHaveBeenCalled()
    await tick(1)
    await waiting
    expect('kind' in (await queue.take(asking('customer')))).toBe(false)
  })

  it('is not shortened by a second one, but may be lengthened', async () => {
    const queue = new PermitQueue({ maxQueued: 100 })
    queue.pause(1_000)
    queue.pause(10)
    const granted = vi.fn()
    const waiting = queue.take(asking('customer')).then(granted)
    await tick(500)
    queue.pause(2_000)
    await tick(1_999)
    expect(granted).not.toHaveBeenCalled()
    await tick(1)
    await waiting
  })

  it('makes the permit too old that the limiter was just being asked for: it goes back, and another is asked for', async () => {
    const gate = new Gate()
    const queue = new PermitQueue({ limiter: gate, maxQueued: 100 })
    const granted = vi.fn()
    const waiting = queue.take(asking('customer')).then(granted)
    await tick()
    queue.pause(1_000)
    await gate.permit()
    expect(gate).toMatchObject({ asked: 1, sentCount: 1 })
    await tick(999)
    expect(gate.asked).toBe(1)
    await tick(1)
    expect(granted).not.toHaveBeenCalled()
    await gate.permit()
    await waiting
    expect(gate).toMatchObject({ asked: 2, sentCount: 1 })
  })

  it('is not blamed for a call that has no time left while there is none', async () => {
    const queue = new PermitQueue({ limiter: new Gate(), maxQueued: 100 })
    const failed = failureOf(() => queue.take(asking('customer', { remainingMs: 0 })))
    await tick(1)
    expect(await failed).toMatchObject({ kind: 'deadline' })
  })

  it('that is longer than a call may wait refuses it at once and says for how long', async () => {
    const queue = new PermitQueue({ maxQueued: 100 })
    queue.pause(61_000)
    const failure = await failureOf(() => queue.take(asking('customer')))
    expect(failure).toEqual({ kind: 'paused', retryAfterMs: 61_000 })
  })

  it('leaves no timer when nobody waits any more', async () => {
    const queue = new PermitQueue({ maxQueued: 100 })
    queue.pause(50_000)
    const controller = new AbortController()
    const failed = failureOf(() => queue.take(asking('customer', { signal: controller.signal })))
    await tick(10)
    controller.abort()
    await failed
    await tick()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('of thirty days does not spin', async () => {
    const queue = new PermitQueue({ maxQueued: 100 })
    const setTimer = vi.spyOn(globalThis, 'setTimeout')
    queue.pause(30 * 86_400_000)
    const failed = failureOf(() => queue.take(asking('customer', { remainingMs: 2 ** 31 - 1 })))
    await tick(1_000)
    expect(setTimer.mock.calls.length).toBeLessThan(5)
    queue.close()
    expect((await failed).kind).toMatch(/^(closed|paused)$/)
  })
})

describe('after a pause', () => {
  const limited = (retryAfter?: string) => response(429, retryAfter ? { 'retry-after': retryAfter } : {})

  it('permits leave one at a time, until one that left was answered by something else', async () => {
    const queue = new PermitQueue({ maxQueued: 100 })
    queue.answered(queue.sent(), limited('2'), Date.now, 120_000)
    const granted: number[] = []
    for (let n = 0; n < 4; n++) void queue.take(asking('customer')).then(() => granted.push(n))
    await tick(1_999)
    expect(granted).toEqual([])
    await tick(1)
    expect(granted).toEqual([0])
    const first = queue.sent()
    await tick(999)
    expect(granted).toEqual([0])
    queue.answered(first, response(200), Date.now, 120_000)
    await tick()
    expect(granted).toEqual([0, 1, 2, 3])
  })

  it('the next one leaves a second later when the first has no response', async () => {
    const queue = new PermitQueue({ maxQueued: 100 })
    queue.answered(queue.sent(), limited('2'), Date.now, 120_000)
    const granted: number[] = []
    for (let n = 0; n < 3; n++) void queue.take(asking('customer')).then(() => granted.push(n))
    await tick(2_999)
    expect(granted).toEqual([0])
    await tick(2_001)
    expect(granted).toEqual([0, 1, 2])
  })

  it('the first of them is whoever was refused, and no call that began later', async () => {
    const queue = new PermitQueue({ maxQueued: 100 })
    queue.answered(queue.sent(), limited('1'), Date.now, 120_000)
    const granted: string[] = []
    const since = performance.now()
    await tick(1)
    void queue.take(asking('customer')).then(() => granted.push('later'))
    void queue.take(asking('customer', { since })).then(() => granted.push('refused'))
    await tick(1_000)
    expect(granted).toEqual(['refused'])
    await tick(1_000)
  })

  it('a response to a request that had left before it proves nothing', async () => {
    const queue = new PermitQueue({ maxQueued: 100 })
    const slow = queue.sent()
    queue.answered(queue.sent(), limited('1'), Date.now, 120_000)
    const granted: number[] = []
    for (let n = 0; n < 2; n++) void queue.take(asking('customer')).then(() => granted.push(n))
    await tick(1_500)
    queue.answered(slow, response(200), Date.now, 120_000)
    await tick(499)
    expect(granted).toEqual([0])
    await tick(1)
    expect(granted).toEqual([0, 1])
  })
})

it('whoever comes while the last one leaves is served too', async () => {
  const gate = new Gate()
  const queue = new PermitQueue({ limiter: gate, maxQueued: 100 })
  const controller = new AbortController()
  const gone = failureOf(() => queue.take(asking('customer', { signal: controller.signal })))
  await tick()
  controller.abort()
  const next = queue.take(asking('customer'))
  await gone
  await gate.permit()
  await gate.permit()
  await next
  expect(queue.queued).toBe(0)
})
