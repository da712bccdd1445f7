import type { MoneyInput } from 'merchant-gateway'
import { currencyText, exact, textOf } from '../input/decimal.js'
import { Sums } from '../input/sums.js'

/** What the payouts of one currency come to. */
export interface CurrencyTotal {
  /** Three letters, in capitals. */
  readonly currencyCode: string
  /** How many there are. */
  readonly payouts: number
  /** Exact, as decimal text in the currency's main unit: `'1234.50'`. */
  readonly amount: string
}

/** @param all amounts as a checked request has them: numbers or plain decimal texts. */
export function totalsOf(all: Iterable<MoneyInput>): CurrencyTotal[] {
  const sums = new Sums()
  const counts = new Sums()
  for (const { amount, currencyCode } of all) {
    sums.add(exact(amount), currencyCode)
    counts.add(exact(1), currencyCode)
  }
  return sums.codes.map((currencyCode) => ({
    currencyCode,
    payouts: Number(counts.of(currencyCode).units),
    amount: currencyText(textOf(sums.of(currencyCode)), currencyCode),
  }))
}
