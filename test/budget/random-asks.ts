import fc from 'fast-check'
import type { Answer, Ask } from '../../src/budget/ask.js'
import { askOf, MemoryLedger } from './asks.js'

/** What happens next: so much later, somebody asks. */
interface Step {
  readonly laterMs: number
  readonly want: Ask['want']
  readonly leadMs: number
  readonly lateMs: number
  readonly forgot: boolean
  readonly pauseMs: number
  readonly returningMs: number
}

/** Asks of a few processes, with all that an ask may say. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    laterMs: fc.constantFrom(0, 0, 1, 20, 97, 108, 150, 1000, 7000),
    want: fc.constantFrom('customer', 'customer', 'customer', 'customer', 'bulk', 'nothing'),
    leadMs: fc.constantFrom(0, 0, 0, 40),
    lateMs: fc.constantFrom(0, 0, 0, 17, -1),
    forgot: fc.boolean(),
    pauseMs: fc.constantFrom(0, 0, 0, 0, 0, 700),
    returningMs: fc.constantFrom(0, 0, 0, 5000),
  }),
  { minLength: 1, maxLength: 120, size: 'max' },
)

/**
 * Runs the steps against the rule, and against a store that has to say the same.
 *
 * @returns what both said.
 */
export async function play(
  given: readonly Step[],
  store: (ask: Ask, now: number) => Promise<unknown>,
): Promise<readonly (readonly [rule: Answer, store: unknown])[]> {
  const ledger = new MemoryLedger()
  const said: (readonly [Answer, unknown])[] = []
  let now = 1_763_790_000_000
  let last: Answer | undefined
  let ticket = 0
  for (const step of given) {
    now += step.laterMs
    const { want, leadMs, pauseMs, returningMs } = step
    const ask = askOf({
      want,
      leadMs,
      pauseMs,
      returningMs,
      ticket,
      late: step.lateMs !== 0 && last !== undefined && last.slot > 0 ? [[last.slot, step.lateMs]] : [],
      knownId: last?.id ?? 0,
      knownCount: (last?.count ?? 0) + (step.forgot ? 1 : 0),
      quietMs: step.forgot ? 1500 : 0,
    })
    last = ledger.ask(ask, now)
    if (want === 'bulk') ticket = last.ticket
    said.push([last, await store(ask, now)])
  }
  return said
}
