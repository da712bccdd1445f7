import type { Step } from '../prompt.js'

/** Where a payout of a file can stand, and in which words: what a person has to review comes first. */
const words = {
  conflict: 'in conflict',
  review: 'to review',
  refused: 'refused',
  failed: 'failed',
  paid: 'paid',
  accepted: 'accepted and not final',
  /** It was about to be sent, and no response says what became of it. */
  unknown: 'without a response',
  waiting: 'not sent',
} as const

export type State = keyof typeof words

/** What a person has to do about a payout. */
export const advice: Readonly<Partial<Record<string, string>>> = {
  refused: 'refused, and not sent before: correct the line and send the file again, or drop it',
  review: 'not to be paid or dropped before you have looked at the gateway',
  conflict: 'the id belongs to a payout that asks for something else: find out which is right',
}

/** Whether the gateway can have the payout. */
export function mayBeSent(state: State): boolean {
  return state !== 'waiting' && state !== 'refused'
}

export type Counts = Readonly<Record<State, number>>

export function countsOf(found: Iterable<State>): Counts {
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
  for (const state of found) counts[state]++
  return counts
}

/** `2 paid, 1 refused`. */
export function textOfCounts(counts: Partial<Counts>): string {
  const found = new Map(Object.entries(counts))
  return Object.entries(words)
    .filter(([state]) => (found.get(state) ?? 0) > 0)
    .map(([state, name]) => `${found.get(state)} ${name}`)
    .join(', ')
}

/** @param follow whether a payout that was accepted is followed until it is final. */
export function stepOf(counts: Counts, follow: boolean): Step {
  const left = counts.waiting + counts.unknown
  const { failed, refused, review, conflict } = counts
  const isSending = left > 0 || !follow
  const total = Object.values(counts).reduce((all, count) => all + count, 0)
  return {
    doing: isSending ? 'sending' : 'following',
    done: total - left - (isSending ? 0 : counts.accepted),
    total,
    besides: textOfCounts({ failed, refused, review, conflict }),
  }
}
