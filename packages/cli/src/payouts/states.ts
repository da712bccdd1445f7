import type { Step } from '../prompt.js'
import type { Known, Outcome, Results } from './results.js'

/** Where a payout of a file stands. */
export type State = 'waiting' | 'unknown' | Exclude<Outcome['state'], 'unsent'>

export type Counts = Readonly<Record<State, number>>

const words: Readonly<Record<State, string>> = {
  waiting: 'not sent',
  /** It was sent, and no response says what became of it. */
  unknown: 'without a response',
  accepted: 'accepted and not final',
  paid: 'paid',
  failed: 'failed',
  refused: 'refused',
  review: 'to review',
  conflict: 'in conflict',
}

/** The other way round: what a person has to review comes first. */
const states: readonly State[] = [
  'conflict',
  'review',
  'refused',
  'failed',
  'paid',
  'accepted',
  'unknown',
  'waiting',
]

/** What a person has to do about a payout. */
export const advice: Readonly<Partial<Record<string, string>>> = {
  refused: 'refused, and not sent before: correct the line and send the file again, or drop it',
  review: 'not to be paid or dropped before you have looked at the gateway',
  conflict: 'the id belongs to a payout that asks for something else: find out which is right',
}

export function stateOf(known: Known | undefined): State {
  if (known === undefined || known.outcome?.state === 'unsent') return 'waiting'
  return known.outcome?.state ?? 'unknown'
}

/** How many of these payouts are in each state. */
export function countsOf(ids: Iterable<string>, { known }: Results): Counts {
  const counts = {
    waiting: 0,
    unknown: 0,
    accepted: 0,
    paid: 0,
    failed: 0,
    refused: 0,
    review: 0,
    conflict: 0,
  }
  for (const id of ids) counts[stateOf(known.get(id))]++
  return counts
}

export function total(counts: Counts): number {
  return Object.values(counts).reduce((all, count) => all + count, 0)
}

/** `2 paid, 1 refused`. */
export function textOfCounts(counts: Partial<Counts>): string {
  return states
    .flatMap((state) => ((counts[state] ?? 0) > 0 ? [`${counts[state]} ${words[state]}`] : []))
    .join(', ')
}

/** @param follow whether a payout that was accepted is followed until it is final. */
export function stepOf(counts: Counts, follow: boolean): Step {
  const left = counts.waiting + counts.unknown
  const { failed, refused, review, conflict } = counts
  const isSending = left > 0 || !follow
  return {
    doing: isSending ? 'sending' : 'following',
    done: total(counts) - left - (isSending ? 0 : counts.accepted),
    total: total(counts),
    besides: textOfCounts({ failed, refused, review, conflict }),
  }
}
