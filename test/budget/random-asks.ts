import fc from 'fast-check'
import type { Answer, Ask } from '../../src/budget/ask.js'
import { askOf, MemoryLedger } from './asks.js'

/** What happens next: so much later, somebody asks. */
interface Step {
  readonly laterMs: number
  readonly want: Ask['want']
  readonly leadMs: number
  readonly goodForMs: number
  /** How long after its slot the last one was used; -1 for not at all, 0 where nothing is said of it. */
  readonly lateMs: number
  readonly forgot: boolean
  readonly pauseMs: number
  readonly returningMs: number
}

/** Asks of a few processes, with all that an ask may say. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    // Now and then the clock is set back.
    laterMs: fc.constantFrom(0, 0, 0, 0, 1, 1, 20, 20, 97, 97, 108, 108, 150, 1000, 7000, 7000, -50_000),
    want: fc.constantFrom('customer', 'customer', 'customer', 'customer', 'bulk', 'nothing'),
    leadMs: fc.constantFrom(0, 0, 0, 40),
    goodForMs: fc.constantFrom(0, 5, 40),
    lateMs: fc.constantFrom(0, 0, 0, 17, -1),
    forgot: fc.boolean(),
    pauseMs: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 700, 700, 60_000),
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
  // The store's begins with the first ask.
  ledger.forget()
  const said: (readonly [Answer, unknown])[] = []
  let now = 1_763_790_000_000
  let last: Answer | undefined
  let grant = 0
  let ticket = 0
  for (const step of given) {
    now += step.laterMs
    const { want, leadMs, goodForMs, lateMs, pauseMs, returningMs } = step
    const ask = askOf({
      want,
      leadMs,
      pauseMs,
      returningMs,
      ticket,
      goodForMs,
      used:
        lateMs !== 0 && last !== undefined && last.slot > 0
          ? [[grant, lateMs < 0 ? 0 : last.slot + lateMs]]
          : [],
      knownId: last?.id ?? 0,
      knownCount: (last?.count ?? 0) + (step.forgot ? 1 : 0),
      quietMs: step.forgot ? 1500 : 0,
      clearingMs: 1228,
      grant: 1_000_000_000_000 + said.length,
    })
    last = ledger.ask(ask, now)
    if (last.slot > 0) grant = ask.grant
    if (want === 'bulk') ticket = last.ticket
    said.push([last, await store(ask, now)])
  }
  return said
}
