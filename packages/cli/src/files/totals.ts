import { currencyText, type Decimal, exact, nothing, plus, textOf } from '../input/decimal.js'

/** What the payouts of one currency come to. */
export interface CurrencyTotal {
  /** Three letters, in capitals. */
  readonly currencyCode: string
  /** How many there are. */
  readonly payouts: number
  /** Exact, as decimal text in the currency's main unit: `'1234.50'`. */
  readonly amount: string
}

/** Sums of money by currency, exact for any number of payouts. */
export class Totals {
  readonly #sums = new Map<string, { payouts: number; sum: Decimal }>()

  /** @param amount what a checked request has: a number or a plain decimal text. */
  add(amount: number | string, currencyCode: string): void {
    const code = currencyCode.toUpperCase()
    const { payouts, sum } = this.#sums.get(code) ?? { payouts: 0, sum: nothing }
    this.#sums.set(code, { payouts: payouts + 1, sum: plus(sum, exact(amount)) })
  }

  /** In the order of the alphabet. */
  list(): CurrencyTotal[] {
    return [...this.#sums]
      .map(([currencyCode, { payouts, sum }]) => ({
        currencyCode,
        payouts,
        amount: currencyText(textOf(sum), currencyCode),
      }))
      .sort((a, b) => (a.currencyCode < b.currencyCode ? -1 : 1))
  }

  of(code: string): string {
    return this.list().find(({ currencyCode }) => currencyCode === code)?.amount ?? currencyText(0, code)
  }
}
