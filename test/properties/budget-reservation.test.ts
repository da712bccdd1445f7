import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { paceOf } from '../../src/budget/pace.js'
import { askOf, MemoryLedger } from '../budget/asks.js'
import { expectNeverMoreThan } from '../load/arrivals.js'

/** A process: who it asks for, how long it works between two slots, and how late it uses them. */
interface Process {
  readonly want: 'customer' | 'bulk'
  readonly restMs: number
  readonly lateMs: number
  /** It begins then. */
  readonly fromMs: number
}

const processes: fc.Arbitrary<readonly Process[]> = fc.array(
  fc.record({
    want: fc.constantFrom('customer', 'customer', 'bulk'),
    restMs: fc.constantFrom(0, 0, 0, 5, 300, 3000),
    lateMs: fc.integer({ min: 0, max: 40 }),
    fromMs: fc.integer({ min: 0, max: 3000 }),
  }),
  { minLength: 1, maxLength: 12 },
)

const start = 1_763_790_000_000
const runMs = 40_000

/** Lets them ask for a while, as the limiter does. @returns when each used its slots, and how often the store was asked. */
function run(requestsPerSecond: number, all: readonly Process[]) {
  const ledger = new MemoryLedger()
  const { slots, windowMs } = paceOf(requestsPerSecond)
  const running = all.map((one) => ({
    ...one,
    askAt: start + one.fromMs,
    ticket: 0,
    late: [] as [number, number][],
    used: [] as number[],
    due: [] as number[],
  }))
  for (;;) {
    const next = running.reduce((first, one) => (one.askAt < first.askAt ? one : first))
    const now = next.askAt
    if (now >= start + runMs) return { running, calls: ledger.calls }
    const { want, ticket, late } = next
    const answer = ledger.ask(askOf({ want, slots, windowMs, ticket, late }), now)
    next.ticket = answer.ticket
    next.late = []
    if (answer.slot === 0) {
      next.askAt = now + answer.comeInMs
      continue
    }
    next.due.push(answer.slot)
    next.used.push(answer.slot + next.lateMs)
    if (next.lateMs > 0) next.late = [[answer.slot, next.lateMs]]
    next.askAt = Math.max(now, answer.slot) + next.lateMs + Math.max(1, next.restMs)
  }
}

describe('whatever processes want, and whenever they come', () => {
  test('no second has more slots than the limit', () => {
    fc.assert(
      fc.property(fc.constantFrom(10, 3, 1, 2.5, 0.5), processes, (rate, all) => {
        const { running } = run(rate, all)
        const { slots, windowMs } = paceOf(rate)
        expectNeverMoreThan(
          slots,
          running.flatMap(({ due }) => due),
          windowMs,
        )
      }),
      { numRuns: 150 },
    )
  })

  test('nobody starves', () => {
    fc.assert(
      fc.property(processes, (all) => {
        const { running } = run(10, all)
        const total = running.reduce((sum, { due }) => sum + due.length, 0)
        const inBulk = running.filter(({ want }) => want === 'bulk')
        for (const one of running) {
          // Whoever rests takes what it wants; the others their part: a customer of all, bulk of its tenth.
          const wanted = (runMs - one.fromMs) / (one.restMs + one.lateMs + 1)
          const part = one.want === 'customer' ? total / running.length : total / 10 / inBulk.length
          expect(one.due.length).toBeGreaterThan(Math.min(wanted, part) * 0.5 - 2)
        }
      }),
      { numRuns: 150 },
    )
  })

  test('customers ask the store once for each slot', () => {
    fc.assert(
      fc.property(processes, (all) => {
        const customers = all.map((one) => ({ ...one, want: 'customer' }) as const)
        const { running, calls } = run(10, customers)
        expect(calls).toBe(running.reduce((sum, { due }) => sum + due.length, 0))
      }),
      { numRuns: 50 },
    )
  })
})
