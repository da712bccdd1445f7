import type { StopReason } from '../../payouts/job/index.js'
import type { Known, Outcome } from './results.js'

/** Where a payout of a file stands. */
export type State =
  /** Nobody was asked, or it certainly did not arrive. */
  | 'waiting'
  /** Somebody was asked, and there is no answer that says what became of it. */
  | 'unknown'
  | Exclude<Outcome['state'], 'unsent'>

export const states = [
  'waiting',
  'unknown',
  'accepted',
  'paid',
  'failed',
  'refused',
  'look',
  'conflict',
] as const satisfies readonly State[]

export type Counts = Readonly<Record<State, number>>

export function stateOf(known: Known | undefined): State {
  if (known === undefined || known.outcome?.state === 'unsent') return 'waiting'
  return known.outcome?.state ?? 'unknown'
}

/** How many payouts are in each state, kept as they move. */
export class Counter {
  readonly #counts: Record<State, number> = {
    waiting: 0,
    unknown: 0,
    accepted: 0,
    paid: 0,
    failed: 0,
    refused: 0,
    look: 0,
    conflict: 0,
  }

  add(state: State): void {
    this.#counts[state]++
  }

  move(from: State, to: State): void {
    this.#counts[from]--
    this.#counts[to]++
  }

  get now(): Counts {
    return { ...this.#counts }
  }
}

/** How many need nothing more of this program: they are final, or a person has to look. */
export function ended({ paid, failed, refused, look, conflict }: Counts): number {
  return paid + failed + refused + look + conflict
}

export function total(counts: Counts): number {
  return states.reduce((sum, state) => sum + counts[state], 0)
}

/** What each stop means, for whoever reads the list. */
export const advice: Readonly<Record<StopReason, string>> = {
  refused: 'refused, and not sent before: mend the line and send the file again, or drop it',
  look: 'not to be paid or dropped before you have looked at the gateway',
  conflict: 'the id belongs to a payout that asks for something else: find out which is right',
}
