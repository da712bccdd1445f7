import type { CurrencyTotal } from '../../payouts/files/payout-file.js'
import { countOf } from '../plural.js'
import { printable } from '../text.js'
import { type Counts, type State, states } from './counts.js'

/** `2 payouts, 35.00 EUR` for each currency, with the balance where it is known. */
export function linesOfTotals(
  totals: readonly CurrencyTotal[],
  balances: ReadonlyMap<string, string> = new Map(),
): string[] {
  return totals.map(({ currencyCode, payouts, amount }) => {
    const balance = balances.get(currencyCode)
    // The balance is what the gateway has written, whatever that is.
    const beside =
      balance === undefined ? '' : ` (balance: ${printable(balance.slice(0, 40))} ${currencyCode})`
    return `  ${countOf(payouts, 'payout')}, ${amount} ${currencyCode}${beside}`
  })
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
export function textOfCounts(counts: Counts, among: readonly State[] = states): string {
  const shown = [...among].reverse().filter((state) => counts[state] > 0)
  return shown.map((state) => `${counts[state]} ${words[state]}`).join(', ')
}
