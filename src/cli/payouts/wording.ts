import type { CurrencyTotal } from '../../payout-files/payout-file.js'
import { countOf } from '../plural.js'
import { type Counts, type State, states } from './counts.js'

/** `2 payouts, 35.00 EUR` for each currency. */
export function linesOfTotals(totals: readonly CurrencyTotal[]): string[] {
  return totals.map(
    ({ currencyCode, payouts, amount }) => `  ${countOf(payouts, 'payout')}, ${amount} ${currencyCode}`,
  )
}

const words: Readonly<Record<State, string>> = {
  waiting: 'not sent',
  unknown: 'without an answer',
  accepted: 'accepted and not final',
  paid: 'paid',
  failed: 'failed',
  refused: 'refused',
  look: 'to look at',
  conflict: 'in conflict',
}

/** `2 paid, 1 refused`. */
export function textOfCounts(counts: Counts): string {
  const shown = [...states].reverse().filter((state) => counts[state] > 0)
  return shown.length === 0
    ? 'no payouts'
    : shown.map((state) => `${counts[state]} ${words[state]}`).join(', ')
}
