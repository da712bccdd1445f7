import { type Decimal, nothing, plus } from './decimal.js'

/** Sums of money by currency, exact for any number of payments. */
export class Sums {
  readonly #sums = new Map<string, Decimal>()

  add(amount: Decimal, currencyCode: string): void {
    const code = currencyCode.toUpperCase()
    this.#sums.set(code, plus(this.of(code), amount))
  }

  of(code: string): Decimal {
    return this.#sums.get(code) ?? nothing
  }

  /** In the order of the alphabet. */
  get codes(): string[] {
    return [...this.#sums.keys()].sort()
  }
}
