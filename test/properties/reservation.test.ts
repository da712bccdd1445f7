import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Ask } from '../../src/stores/rate-limit/ask.js'
import { paceOf } from '../../src/stores/rate-limit/pace.js'
import { expectNeverMoreThan } from '../load/arrivals.js'
import { askOf, MemoryLedger } from '../stores/rate-limit/asks.js'

/**
 * A process: who it asks for, how long it works between two slots, for how long it wants them to be good, how late it
 * uses them, how often it doesn't, and what it says of that: with the next ask, with each of the next two, with the
 * one after the next, or nothing.
 */
interface Process {
  readonly want: 'customer' | 'background'
  readonly restMs: number
  readonly goodForMs: number
  /** As a part of that time. */
  readonly late: number
  readonly tells: 'next' | 'twice' | 'later' | 'nothing'
  /** Each slot of so many comes to nothing; 0 for none. */
  readonly wastesEach: number
  /** It begins then. */
  readonly fromMs: number
}

const processes: fc.Arbitrary<readonly Process[]> = fc.array(
  fc.record({
    want: fc.constantFrom('customer', 'customer', 'background'),
    restMs: fc.constantFrom(0, 0, 0, 5, 300, 3000),
    goodForMs: fc.integer({ min: 5, max: 40 }),
    late: fc.constantFrom(0, 0.1, 0.5, 1),
    tells: fc.constantFrom('next', 'next', 'twice', 'later', 'nothing'),
    wastesEach: fc.constantFrom(0, 0, 2, 5),
    fromMs: fc.integer({ min: 0, max: 3000 }),
  }),
  { minLength: 1, maxLength: 12 },
)

function customer(of: Partial<Process>): Process {
  return {
    want: 'customer',
    restMs: 0,
    goodForMs: 5,
    late: 0,
    tells: 'next',
    wastesEach: 0,
    fromMs: 0,
    ...of,
  }
}

function bulk(fromMs: number): Process {
  return { ...customer({ fromMs }), want: 'background' }
}

type News = Ask['used'][number]

const start = 1_763_790_000_000
const runMs = 40_000
/** From one slot to the next when ten a second are wanted. */
const turnMs = 108

/** Lets them ask for a while, as the limiter does. @returns when each used its slots, and how often the store was asked. */
function run(requestsPerSecond: number, all: readonly Process[]) {
  const ledger = new MemoryLedger()
  const { slots, windowMs } = paceOf(requestsPerSecond)
  const running = all.map((one, process) => ({
    ...one,
    askAt: start + one.fromMs,
    process,
    lateMs: Math.round(one.late * one.goodForMs),
    /** What was said with the last ask, and what is to be said with the next. */
    said: [] as readonly News[],
    news: [] as readonly News[],
    used: [] as number[],
    due: [] as number[],
  }))
  for (;;) {
    const next = running.reduce((first, one) => (one.askAt < first.askAt ? one : first))
    const now = next.askAt
    if (now >= start + runMs) return { running, calls: ledger.calls }
    const { want, process, goodForMs } = next
    const used = { next: next.news, twice: [...next.said, ...next.news], later: next.said, nothing: [] }[
      next.tells
    ]
    const grant = ledger.calls + 1
    const answer = ledger.ask(askOf({ want, slots, windowMs, process, goodForMs, used, grant }), now)
    next.said = next.news
    next.news = []
    if (answer.slot === undefined) {
      next.askAt = now + (answer.comeInMs ?? 1)
      continue
    }
    next.due.push(answer.slot)
    const usedAt = answer.slot + next.lateMs
    const isWasted = next.wastesEach > 0 && next.due.length % next.wastesEach === 0
    if (!isWasted) next.used.push(usedAt)
    next.news = [[grant, isWasted ? 0 : usedAt]]
    next.askAt = Math.max(now, answer.slot) + next.lateMs + Math.max(1, next.restMs)
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
