import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Failure, isFailure } from '../../../../src/client/http/failure.js'
import type { Limiter } from '../../../../src/client/http/limit/limiter.js'
import type { Granted } from '../../../../src/client/http/limit/queue.js'
import { PermitQueue } from '../../../../src/client/http/limit/queue.js'
import type { Lane } from '../../../../src/client/observe/events.js'
import { response } from '../../../support/failures.js'

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

const patient = { signal: undefined, remainingMs: 60_000 }
const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms)

/** The failure that a call for a permit ends with. */
async function failureOf(take: () => Promise<Granted | Failure>): Promise<Failure> {
  const came = await take()
  if (!isFailure(came)) throw new Error('the permit was granted')
  return came
}

describe('a permit', () => {
  it('is there for all that come at once when there is no limiter, however few may wait', async () => {
    const budget = new PermitQueue({ maxQueued: 1 })
    const takes = Array.from({ length: 50 }, () => budget.take('create', patient))
    expect((await Promise.all(takes)).filter(isFailure)).toEqual([])
  })

  it('goes to creates before reads, to callbacks before polls, to tokens before all', async () => {
    const gate = new Gate()
    const budget = new PermitQueue({ limiter: gate, maxQueued: 100 })
    const granted: string[] = []
    const take = (lane: Lane, name: string) => budget.take(lane, patient).then(() => granted.push(name))
    const order: readonly Lane[] = ['poll', 'callback', 'read', 'create', 'token', 'create', 'poll']
    const all = order.map((lane, n) => take(lane, `${lane} ${n}`))
    expect(budget.queued).toBe(7)
    await tick()
    for (const _ of order) await gate.permit()
    await Promise.all(all)
    expect(granted).toEqual(['token 4', 'create 3', 'create 5', 'read 2', 'callback 1', 'poll 0', 'poll 6'])
    expect(budget.queued).toBe(0)
  })

  it('is asked for one at a time', async () => {
    const gate = new Gate()
    const budget = new PermitQueue({ limiter: gate, maxQueued: 100 })
    const both = [budget.take('read', patient), budget.take('read', patient)]
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
  const taken = async (budget: PermitQueue) => {
    const came = await budget.take('create', patient)
    if (isFailure(came)) throw new Error(came.kind)
    return came
  }

  it('is good until then, and no longer', async () => {
    const budget = new PermitQueue({ limiter: limiter([40]), maxQueued: 10 })
    const permit = await taken(budget)
    await tick(40)
    expect(budget.isGood(permit)).toBe(true)
    await tick(1)
    expect(budget.isGood(permit)).toBe(false)
  })

  it('and comes too late is given back, and another is asked for after a breath', async () => {
    const { log, ...late } = limiter([-1, -1, 40])
    const budget = new PermitQueue({ limiter: late, maxQueued: 10 })
    const permit = taken(budget)
    await tick()
    expect(log).toEqual(['asked', 'sent'])
    await tick(1)
    expect(log).toEqual(['asked', 'sent', 'asked', 'sent'])
    await tick(1)
    expect(budget.isGood(await permit)).toBe(true)
  })

  it('is good at any time when the limiter says nothing of it, but not after a pause of all', async () => {
    const budget = new PermitQueue({ limiter: limiter([]), maxQueued: 10 })
    const permit = await taken(budget)
    await tick(3_600_000)
    expect(budget.isGood(permit)).toBe(true)
    budget.pause(100)
    await tick(200)
    expect(budget.isGood(permit)).toBe(false)
    expect(budget.isGood(await taken(budget))).toBe(true)
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
    const budget = new PermitQueue({ limiter, maxQueued: 10 })
    const served: string[] = []
    const take = (lane: Lane) => budget.take(lane, patient).then(() => served.push(lane))
    const all = [take('bulk'), take('poll')]
    await tick()
    all.push(take('create'))
    await tick()
    expect(asked).toEqual(['bulk', 'bulk given up', 'customer'])
    for (const _ of all) {
      give()
      await tick()
    }
    await Promise.all(all)
    expect(served).toEqual(['create', 'bulk', 'poll'])
    expect(asked.slice(3)).toEqual(['bulk', 'bulk'])
  })

  it('hears of a 429 once for each pause that is longer', () => {
    const { limiter, pauses } = shared()
    const budget = new PermitQueue({ limiter, maxQueued: 10 })
    budget.pause(2_000)
    budget.pause(1_000)
    budget.pause(3_000)
    expect(pauses).toEqual([2_000, 3_000])
  })
})

describe('waiting for a permit ends', () => {
  it('for one too many', async () => {
    const gate = new Gate()
    const budget = new PermitQueue({ limiter: gate, maxQueued: 2 })
    const waiting = [budget.take('read', patient), budget.take('read', patient)]
    expect(await failureOf(() => budget.take('create', patient))).toEqual({ kind: 'queue-full' })
    await gate.permit()
    const third = budget.take('create', patient)
    await gate.permit()
    await gate.permit()
    await Promise.all([...waiting, third])
  })

  it('for everybody when the client is closed, and nobody may come after', async () => {
    const budget = new PermitQueue({ limiter: new Gate(), maxQueued: 100 })
    const waiting = [
      failureOf(() => budget.take('read', patient)),
      failureOf(() => budget.take('poll', patient)),
    ]
    budget.close()
    budget.close()
    expect(await Promise.all(waiting)).toEqual([{ kind: 'closed' }, { kind: 'closed' }])
    expect(await failureOf(() => budget.take('token', patient))).toEqual({ kind: 'closed' })
  })

  it('with the cause when a limiter of your own fails, one call for each failure', async () => {
    const cause = new Error('redis is down')
    const acquire = vi.fn((): Promise<void> => Promise.reject(cause))
    const budget = new PermitQueue({ limiter: { acquire }, maxQueued: 100 })
    const waiting = [1, 2, 3].map(() => failureOf(() => budget.take('read', patient)))
    expect(await Promise.all(waiting)).toEqual(Array(3).fill({ kind: 'limiter', cause }))
    expect(acquire).toHaveBeenCalledTimes(3)
  })

  it('when the caller leaves, also where the limiter rejects after that', async () => {
    let reject: (cause: Error) => void = () => {}
    const acquire = () => new Promise<void>((_, no) => (reject = no))
    const budget = new PermitQueue({ limiter: { acquire }, maxQueued: 10 })
    const controller = new AbortController()
    const failed = failureOf(() => budget.take('create', { ...patient, signal: controller.signal }))
    controller.abort()
    reject(new Error('too late'))
    expect((await failed).kind).toBe('aborted')
  })
})

describe('a pause after a 429', () => {
  it('holds everybody back, also without a limiter', async () => {
    const budget = new PermitQueue({ maxQueued: 100 })
    budget.pause(1_000)
    const granted = vi.fn()
    const waiting = budget.take('create', patient).then(granted)
    await tick(999)
    expect(granted).not.toHaveBeenCalled()
    await tick(1)
    await waiting
    expect(isFailure(await budget.take('read', patient))).toBe(false)
  })

  it('is not shortened by a second one, but may be lengthened', async () => {
    const budget = new PermitQueue({ maxQueued: 100 })
    budget.pause(1_000)
    budget.pause(10)
    const granted = vi.fn()
    const waiting = budget.take('create', patient).then(granted)
    await tick(500)
    budget.pause(2_000)
    await tick(1_999)
    expect(granted).not.toHaveBeenCalled()
    await tick(1)
    await waiting
  })

  it('makes the permit too old that the limiter was just being asked for: it goes back, and another is asked for', async () => {
    const gate = new Gate()
    const budget = new PermitQueue({ limiter: gate, maxQueued: 100 })
    const granted = vi.fn()
    const waiting = budget.take('create', patient).then(granted)
    await tick()
    budget.pause(1_000)
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
    const budget = new PermitQueue({ limiter: new Gate(), maxQueued: 100 })
    const failed = failureOf(() => budget.take('create', { ...patient, remainingMs: 0 }))
    await tick(1)
    expect(await failed).toMatchObject({ kind: 'deadline' })
  })

  it('that is longer than a call may wait refuses it at once and says for how long', async () => {
    const budget = new PermitQueue({ maxQueued: 100 })
    budget.pause(61_000)
    const failure = await failureOf(() => budget.take('create', patient))
    expect(failure).toEqual({ kind: 'paused', retryAfterMs: 61_000 })
  })

  it('leaves no timer when nobody waits any more', async () => {
    const budget = new PermitQueue({ maxQueued: 100 })
    budget.pause(50_000)
    const controller = new AbortController()
    const failed = failureOf(() => budget.take('read', { ...patient, signal: controller.signal }))
    await tick(10)
    controller.abort()
    await failed
    await tick()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('of thirty days does not spin', async () => {
    const budget = new PermitQueue({ maxQueued: 100 })
    const setTimer = vi.spyOn(globalThis, 'setTimeout')
    budget.pause(30 * 86_400_000)
    const failed = failureOf(() => budget.take('read', { signal: undefined, remainingMs: 2 ** 31 - 1 }))
    await tick(1_000)
    expect(setTimer.mock.calls.length).toBeLessThan(5)
    budget.close()
    expect((await failed).kind).toMatch(/^(closed|paused)$/)
  })
})

describe('after a pause', () => {
  const limited = (retryAfter?: string) => response(429, retryAfter ? { 'retry-after': retryAfter } : {})

  it('permits leave one at a time, until one that left was answered by something else', async () => {
    const budget = new PermitQueue({ maxQueued: 100 })
    budget.answered(budget.sent(), limited('2'), Date.now, 120_000)
    const granted: number[] = []
    for (let n = 0; n < 4; n++) void budget.take('create', patient).then(() => granted.push(n))
    await tick(1_999)
    expect(granted).toEqual([])
    await tick(1)
    expect(granted).toEqual([0])
    const first = budget.sent()
    await tick(999)
    expect(granted).toEqual([0])
    budget.answered(first, response(200), Date.now, 120_000)
    await tick()
    expect(granted).toEqual([0, 1, 2, 3])
  })

  it('the next one leaves a second later when the first has no response', async () => {
    const budget = new PermitQueue({ maxQueued: 100 })
    budget.answered(budget.sent(), limited('2'), Date.now, 120_000)
    const granted: number[] = []
    for (let n = 0; n < 3; n++) void budget.take('create', patient).then(() => granted.push(n))
    await tick(2_999)
    expect(granted).toEqual([0])
    await tick(2_001)
    expect(granted).toEqual([0, 1, 2])
  })

  it('the first of them is whoever was refused, and not who came later', async () => {
    const budget = new PermitQueue({ maxQueued: 100 })
    budget.answered(budget.sent(), limited('1'), Date.now, 120_000)
    const granted: string[] = []
    void budget.take('create', patient).then(() => granted.push('later'))
    void budget.take('create', { ...patient, again: true }).then(() => granted.push('refused'))
    await tick(1_000)
    expect(granted).toEqual(['refused'])
    await tick(1_000)
  })

  it('those who were refused go first, each kind in the order in which they came', async () => {
    const gate = new Gate()
    const budget = new PermitQueue({ limiter: gate, maxQueued: 100 })
    const granted: string[] = []
    const controllers = new Map<string, AbortController>()
    const take = (name: string, again: boolean) => {
      const controller = new AbortController()
      controllers.set(name, controller)
      const options = { ...patient, signal: controller.signal, again }
      return budget
        .take('create', options)
        .then((result) => granted.push(isFailure(result) ? `${name} ${result.kind}` : name))
    }
    const all = [take('new 1', false), take('new 2', false), take('refused 1', true), take('new 3', false)]
    all.push(take('refused 2', true))
    await tick()
    controllers.get('new 2')?.abort()
    for (let n = 0; n < 4; n++) await gate.permit()
    await Promise.all(all)
    expect(granted).toEqual(['new 2 aborted', 'refused 1', 'refused 2', 'new 1', 'new 3'])
  })

  it('a response to a request that had left before it proves nothing', async () => {
    const budget = new PermitQueue({ maxQueued: 100 })
    const slow = budget.sent()
    budget.answered(budget.sent(), limited('1'), Date.now, 120_000)
    const granted: number[] = []
    for (let n = 0; n < 2; n++) void budget.take('create', patient).then(() => granted.push(n))
    await tick(1_500)
    budget.answered(slow, response(200), Date.now, 120_000)
    await tick(499)
    expect(granted).toEqual([0])
    await tick(1)
    expect(granted).toEqual([0, 1])
  })
})

it('whoever comes while the last one leaves is served too', async () => {
  const gate = new Gate()
  const budget = new PermitQueue({ limiter: gate, maxQueued: 100 })
  const controller = new AbortController()
  const gone = failureOf(() => budget.take('read', { ...patient, signal: controller.signal }))
  await tick()
  controller.abort()
  const next = budget.take('read', patient)
  await gone
  await gate.permit()
  await gate.permit()
  await next
  expect(budget.queued).toBe(0)
})
