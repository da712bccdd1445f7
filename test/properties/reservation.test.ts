import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SlotRequest } from '../../src/stores/rate-limit/reservation.js'
import { paceOf } from '../../src/stores/rate-limit/reservation.js'
import { expectNeverMoreThan } from '../load/arrivals.js'
import { MemoryLedger, requestOf } from '../stores/rate-limit/slot-requests.js'

/**
 * A process: who it asks for, how long it works between two slots, for how long it wants them to be good, how late it
 * uses them, how often it doesn't, and what it says of that: with the next ask, with each of the next two, with the
 * one after the next, or nothing.
 */
interface Process {
  readonly want: 'customer' | 'background'
  readonly restMs: number
  readonly validMs: number
  /** As a part of that time. */
  readonly late: number
  readonly reports: 'next' | 'twice' | 'later' | 'nothing'
  /** Each slot of so many comes to nothing; 0 for none. */
  readonly wastesEach: number
  /** It begins then. */
  readonly fromMs: number
}

const processes: fc.Arbitrary<readonly Process[]> = fc.array(
  fc.record({
    want: fc.constantFrom('customer', 'customer', 'background'),
    restMs: fc.constantFrom(0, 0, 0, 5, 300, 3000),
    validMs: fc.integer({ min: 5, max: 40 }),
    late: fc.constantFrom(0, 0.1, 0.5, 1),
    reports: fc.constantFrom('next', 'next', 'twice', 'later', 'nothing'),
    wastesEach: fc.constantFrom(0, 0, 2, 5),
    fromMs: fc.integer({ min: 0, max: 3000 }),
  }),
  { minLength: 1, maxLength: 12 },
)

function customer(of: Partial<Process>): Process {
  return {
    want: 'customer',
    restMs: 0,
    validMs: 5,
    late: 0,
    reports: 'next',
    wastesEach: 0,
    fromMs: 0,
    ...of,
  }
}

function bulk(fromMs: number): Process {
  return { ...customer({ fromMs }), want: 'background' }
}

type Use = SlotRequest['used'][number]

const start = 1_763_790_000_000
const runMs = 40_000
/** From one slot to the next when ten a second are wanted. */
const turnMs = 108

/** Lets them ask for a while, as the limiter does. @returns when each used its slots, and how often the store was asked. */
function run(requestsPerSecond: number, all: readonly Process[]) {
  const ledger = new MemoryLedger()
  const { slots, windowMs } = paceOf(requestsPerSecond)
  const running = all.map((one) => ({
    ...one,
    askAt: start + one.fromMs,
    lateMs: Math.round(one.late * one.validMs),
    /** What was reported with the last request, and what is to be reported with the next. */
    reported: [] as readonly Use[],
    report: [] as readonly Use[],
    ticket: 0,
    used: [] as number[],
    due: [] as number[],
  }))
  for (;;) {
    const next = running.reduce((first, one) => (one.askAt < first.askAt ? one : first))
    const now = next.askAt
    if (now >= start + runMs) return { running, calls: ledger.calls }
    const { want, validMs } = next
    const used = {
      next: next.report,
      twice: [...next.reported, ...next.report],
      later: next.reported,
      nothing: [],
    }[next.reports]
    const grant = ledger.calls + 1
    const response = ledger.request(
      requestOf({ want, slots, windowMs, validMs, used, grant, ticket: next.ticket }),
      now,
    )
    next.ticket = response.ticket ?? 0
    next.reported = next.report
    next.report = []
    if (response.slot === undefined) {
      next.askAt = now + (response.retryInMs ?? 1)
      continue
    }
    next.due.push(response.slot)
    const usedAt = response.slot + next.lateMs
    const isWasted = next.wastesEach > 0 && next.due.length % next.wastesEach === 0
    if (!isWasted) next.used.push(usedAt)
    next.report = [[grant, isWasted ? 0 : usedAt]]
    next.askAt = Math.max(now, response.slot) + next.lateMs + Math.max(1, next.restMs)
  }
}

describe('whatever processes want, and whenever they come', () => {
  test('no second has more requests than the limit, however late each of them is', () => {
    fc.assert(
      fc.property(fc.constantFrom(10, 3, 1, 2.5, 0.5), processes, (rate, all) => {
        const { running } = run(rate, all)
        const { slots, windowMs } = paceOf(rate)
        expectNeverMoreThan(
          slots,
          running.flatMap(({ used }) => used),
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
        const inBulk = running.filter(({ want }) => want === 'background')
        for (const one of running) {
          // Whoever rests takes what it wants, each time after its turn; the others their part: a customer of all, bulk
          // of its tenth.
          const wanted = (runMs - one.fromMs) / (one.restMs + one.lateMs + running.length * turnMs)
          const part = one.want === 'customer' ? total / running.length : total / 10 / inBulk.length
          expect(one.due.length).toBeGreaterThan(Math.min(wanted, part) * 0.5 - 2)
        }
      }),
      {
        numRuns: 150,
        examples: [
          // Rests as long as the others use what there is.
          [[customer({}), customer({ restMs: 300, fromMs: 1178 }), customer({ late: 1, wastesEach: 5 })]],
          // Come at the same moment as another of bulk, again and again, and just after it.
          [[bulk(1201), bulk(1195), customer({ fromMs: 1607 }), customer({ late: 1, wastesEach: 2 })]],
          [[bulk(0), bulk(2038)]],
          // The first comes ten milliseconds before the other, again and again.
          [
            [
              { ...bulk(0), wastesEach: 5 },
              { ...bulk(871), late: 0.5 },
            ],
          ],
        ],
      },
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
