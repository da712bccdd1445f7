import type { SandboxMoney } from '../wire/money.js'

/** The balances at the start. Their currencies are those that the sandbox lists. */
export const defaultBalances: Readonly<Record<string, number>> = {
  CZK: 1_000_000,
  EUR: 100_000,
  GBP: 100_000,
  IDR: 1_000_000_000,
  JPY: 10_000_000,
  USD: 100_000,
}

/** The fee of every payout, in its own currency; 1 is a valid amount in all of them. */
export const PAYOUT_FEE = 1

export class Balances {
  readonly #initial: Readonly<Record<string, number>>
  #amounts: Map<string, number>

  constructor(initial: Readonly<Record<string, number>>) {
    this.#initial = { ...initial }
    this.#amounts = new Map(Object.entries(initial))
  }

  get currencies(): string[] {
    return [...this.#amounts.keys()].sort()
  }

  /** 0 for a currency that is not supported. */
  amountOf(currencyCode: string): number {
    return this.#amounts.get(currencyCode) ?? 0
  }

  add({ amount, currencyCode }: SandboxMoney): void {
    const sum = this.amountOf(currencyCode) + amount
    // Sums of binary fractions would show digits such as 0.30000000000000004.
    this.#amounts.set(currencyCode, Math.round(sum * 10_000) / 10_000)
  }

  /** @throws naming what is wrong (`Error`). */
  set({ amount, currencyCode }: SandboxMoney): void {
    if (typeof currencyCode !== 'string' || !/^[A-Z]{3}$/.test(currencyCode)) {
      throw new Error('currencyCode must be a code of three capital letters.')
    }
    if (typeof amount !== 'number' || !Number.isFinite(amount)) throw new Error('amount must be a number.')
    this.#amounts.set(currencyCode, amount)
  }

  reset(): void {
    this.#amounts = new Map(Object.entries(this.#initial))
  }

  /** Section 4, rule 4: values are separated by commas, and an unsupported or invalid one is ignored. */
  list(query: string): { money: SandboxMoney }[] {
    const currencies = new URLSearchParams(query).get('currencies')
    const wanted = currencies === null ? undefined : new Set(currencies.toUpperCase().split(','))
    return this.currencies
      .filter((code) => wanted === undefined || wanted.has(code))
      .map((currencyCode) => ({ money: { amount: this.amountOf(currencyCode), currencyCode } }))
  }
}
