import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import type { Sandbox, SandboxOptions } from '../../src/index.js'
import { create, masterToken, ORIGIN, paymentBody, SIGNED_AT, stillSandbox } from '../support.js'

const callbackUrl = 'https://shop.example/callbacks'

/** A sandbox with one payin, whose callbacks are noted by their body. */
async function noting(options: SandboxOptions = {}) {
  const seen: [body: string, at: number][] = []
  const sandbox: Sandbox = stillSandbox({
    payAfterMs: false,
    deliver: async ({ body }) => {
      seen.push([body, sandbox.clock.now()])
      return { status: 204 }
    },
    ...options,
  })
  const begin = sandbox.clock.now()
  const init = create(await masterToken(sandbox), paymentBody({ callbackUrl }))
  await sandbox.fetch(`${ORIGIN}/payins/one`, init)
  const payin = sandbox.payins.get('one')
  const history = () => payin.history.map(({ status, at }) => [status, at - begin])
  return { sandbox, payin, seen, begin, history }
}

const pendingNever = { pendingAfterMs: 1e12, expireAfterMs: 2e12 }

describe('the virtual clock', () => {
  test('stands still until it is advanced, and runs what falls due on the way, each at its own time', async () => {
    const { sandbox, payin, seen, begin, history } = await noting({ pendingAfterMs: 10, payAfterMs: 20 })
    sandbox.callbackFault({ action: { kind: 'late', ms: 5 } })
    payin.sendCallback({ body: 'too late', afterMs: 31 })
    expect(sandbox.clock.now()).toBe(begin)
    await sandbox.clock.advance(30)
    expect(history()).toEqual([
      ['CREATED', 0],
      ['PENDING', 10],
      ['SUCCESS', 20],
    ])
    // That of PENDING was set on the way, and lies between.
    expect(seen.map(([, at]) => at - begin)).toEqual([15, 20])
    expect(sandbox.clock.now()).toBe(begin + 30)
  })

  test('runs timers by time and, at equal times, in the order in which they were set', async () => {
    const delays = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 50 })
    await fc.assert(
      fc.asyncProperty(delays, async (all) => {
        const { sandbox, payin, seen } = await noting(pendingNever)
        for (const [index, afterMs] of all.entries()) payin.sendCallback({ body: String(index), afterMs })
        await sandbox.clock.advance(20)
        const due = (index: number) => all[index] ?? 0
        const order = [...all.keys()].sort((a, b) => due(a) - due(b) || a - b)
        expect(seen.map(([body]) => Number(body))).toEqual(order)
      }),
      { numRuns: 30 },
    )
  })

  test('adds up advances that are asked for at once', async () => {
    const { sandbox, begin, history } = await noting({ payAfterMs: 15 })
    await Promise.all([sandbox.clock.advance(10), sandbox.clock.advance(10)])
    expect(history().at(-1)).toEqual(['SUCCESS', 15])
    expect(sandbox.clock.now()).toBe(begin + 20)
  })

  test('is advanced under fake timers too', async () => {
    vi.useFakeTimers()
    const { sandbox, begin } = await noting()
    await sandbox.clock.advance(5)
    expect(sandbox.clock.now()).toBe(begin + 5)
  })

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses to be advanced by %d', (ms) => {
    expect(() => stillSandbox().clock.advance(ms)).toThrow('a number of milliseconds')
  })
})

describe('the real clock', () => {
  test('follows the time of the machine, with one timeout for everything that waits', async () => {
    vi.useFakeTimers({ now: 5000 })
    const { payin, seen } = await noting({ clock: 'real', startAt: 5000, ...pendingNever })
    for (const afterMs of [30, 10, 20]) payin.sendCallback({ body: '', afterMs })
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(25)
    expect(seen.map(([, at]) => at)).toEqual([5010, 5020])
    await vi.advanceTimersByTimeAsync(25)
    expect(seen.map(([, at]) => at)).toEqual([5010, 5020, 5030])
    expect(vi.getTimerCount()).toBe(1)
  })

  test('runs from startAt', () => {
    vi.useFakeTimers({ now: 5000 })
    const { clock } = stillSandbox({ clock: 'real', startAt: 1_000_000 })
    vi.advanceTimersByTime(70)
    expect(clock.now()).toBe(1_000_070)
  })

  test('waits for longer than a timeout of Node can', async () => {
    vi.useFakeTimers({ now: SIGNED_AT })
    const month = 31 * 24 * 60 * 60 * 1000
    const { payin } = await noting({ clock: 'real', payAfterMs: month, expireAfterMs: 2 * month })
    vi.advanceTimersByTime(month - 1)
    expect(payin.status).toBe('PENDING')
    vi.advanceTimersByTime(2)
    expect(payin.status).toBe('SUCCESS')
  })

  test('cannot be advanced', () => {
    const { clock } = stillSandbox({ clock: 'real' })
    expect(() => clock.advance(1)).toThrow("createSandbox({ clock: 'virtual' })")
  })

  test('leaves no timer behind when the sandbox is closed', async () => {
    vi.useFakeTimers()
    const { sandbox, payin } = await noting({ clock: 'real' })
    expect(vi.getTimerCount()).toBe(1)
    await sandbox.close()
    payin.sendCallback({ afterMs: 10 })
    expect(vi.getTimerCount()).toBe(0)
  })
})
