import type { Step } from '../progress.js'
import type { Known, Outcome, Results } from './results.js'

/** Where a payout of a file stands. */
export type State = 'waiting' | 'unknown' | Exclude<Outcome['state'], 'unsent'>

export type Counts = Readonly<Record<State, number>>

interface Meaning {
  readonly words: string
  /** Whether this program has something more to do for it; if not it is final, or a person has to decide. */
  readonly isOpen?: true
  /** What a person has to do about it. */
  readonly advice?: string
}

const meanings: Readonly<Record<State, Meaning>> = {
  waiting: { words: 'not sent', isOpen: true },
  /** It was sent, and no response says what became of it. */
  unknown: { words: 'without a response', isOpen: true },
  accepted: { words: 'accepted and not final', isOpen: true },
  paid: { words: 'paid' },
  failed: { words: 'failed' },
  refused: {
    words: 'refused',
    advice: 'refused, and not sent before: correct the line and send the file again, or drop it',
  },
  review: {
    words: 'to review',
    advice: 'not to be paid or dropped before you have looked at the gateway',
  },
  conflict: {
    words: 'in conflict',
    advice: 'the id belongs to a payout that asks for something else: find out which is right',
  },
}

const states = Object.keys(meanings).filter(isState)

function isState(text: string): text is State {
  return Object.hasOwn(meanings, text)
}

export function stateOf(known: Known | undefined): State {
  if (known === undefined || known.outcome?.state === 'unsent') return 'waiting'
  return known.outcome?.state ?? 'unknown'
}

/** How many of these payouts are in each state. */
export function countsOf(ids: Iterable<string>, { known }: Results): Counts {
  const counts: Record<State, number> = {
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

export function total(counts: Counts, among: readonly State[] = states): number {
  return among.reduce((all, state) => all + counts[state], 0)
}

/** What a person has to do about a payout in this state; undefined when nothing. */
export function adviceOn(state: string): string | undefined {
  return isState(state) ? meanings[state].advice : undefined
}

/** `2 paid, 1 refused`. */
export function textOfCounts(counts: Counts, among: readonly State[] = states): string {
  const shown = [...among].reverse().filter((state) => counts[state] > 0)
  return shown.map((state) => `${counts[state]} ${meanings[state].words}`).join(', ')
}

/** @param follow whether a payout that was accepted is followed until it is final. */
export function stepOf(counts: Counts, follow: boolean): Step {
  const left = counts.waiting + counts.unknown
  const doing = left > 0 || !follow ? 'sending' : 'following'
  const ended = states.filter((state) => meanings[state].isOpen !== true)
  return {
    doing,
    done: doing === 'sending' ? total(counts) - left : total(counts, ended),
    total: total(counts),
    besides: textOfCounts(counts, ['failed', 'refused', 'review', 'conflict']),
  }
}
