import type { MoneyInput } from 'merchant-gateway'
import { Sums } from '../input/amounts.js'

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
export function totalsOf(all: readonly MoneyInput[]): CurrencyTotal[] {
  const sums = new Sums()
  for (const { amount, currencyCode } of all) sums.add(amount, currencyCode)
  return sums.codes.map((code) => ({
    currencyCode: code,
    payouts: all.filter(({ currencyCode }) => currencyCode.toUpperCase() === code).length,
    amount: sums.textOf(code),
  }))
}
