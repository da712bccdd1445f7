import { type Decimal, exactDecimal, nothing, plus, textOf } from '../../../../src/client/input/decimal.js'

/** What the payouts of one currency come to. */
export interface CurrencyTotal {
  /** Three letters, in capitals. */
  readonly currencyCode: string
  /** How many there are. */
  readonly payouts: number
  /** Exact, as decimal text in the currency's main unit: `'1234.50'`. */
  readonly amount: string
}

/** Sums of money, exact for any number of payouts: whole numbers of the smallest part that was seen. */
export class Totals {
  readonly #sums = new Map<string, { payouts: number; sum: Decimal }>()

  /** @param amount what a checked request has: a number or a plain decimal text. */
  add(amount: number | string, currencyCode: string): void {
    const code = currencyCode.toUpperCase()
    const { payouts, sum } = this.#sums.get(code) ?? { payouts: 0, sum: nothing }
    this.#sums.set(code, { payouts: payouts + 1, sum: plus(sum, exactDecimal(amount)) })
  }

  /** By currency, in the order of the alphabet. */
  list(): CurrencyTotal[] {
    return [...this.#sums]
      .map(([currencyCode, { payouts, sum }]) => ({ currencyCode, payouts, amount: textOf(sum) }))
      .sort((a, b) => (a.currencyCode < b.currencyCode ? -1 : 1))
  }
}

/** One amount as decimal text, whatever form it was given in. */
export function amountText(amount: number | string): string {
  return textOf(exactDecimal(amount))
}
