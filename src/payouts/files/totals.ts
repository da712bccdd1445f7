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
    const { payouts, sum } = this.#sums.get(code) ?? { payouts: 0, sum: { units: 0n, decimals: 0 } }
    this.#sums.set(code, { payouts: payouts + 1, sum: plus(sum, decimalOf(amount)) })
  }

  /** By currency, in the order of the alphabet. */
  list(): CurrencyTotal[] {
    return [...this.#sums]
      .map(([currencyCode, { payouts, sum }]) => ({ currencyCode, payouts, amount: textOf(sum) }))
      .sort((a, b) => (a.currencyCode < b.currencyCode ? -1 : 1))
  }
}

/** `units` of which ten to the power of `decimals` make one. */
interface Decimal {
  readonly units: bigint
  readonly decimals: number
}

function decimalOf(amount: number | string): Decimal {
  const [mantissa = '', exponent = '0'] = String(amount).toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const decimals = fraction.length - Number(exponent)
  const units = BigInt(whole + fraction)
  return decimals < 0 ? { units: units * 10n ** BigInt(-decimals), decimals: 0 } : { units, decimals }
}

function plus(a: Decimal, b: Decimal): Decimal {
  const decimals = Math.max(a.decimals, b.decimals)
  return { units: scaled(a, decimals) + scaled(b, decimals), decimals }
}

function scaled({ units, decimals }: Decimal, to: number): bigint {
  return units * 10n ** BigInt(to - decimals)
}

function textOf({ units, decimals }: Decimal): string {
  // A fee that is given back is below 0.
  if (units < 0n) return `-${textOf({ units: -units, decimals })}`
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** One amount as decimal text, whatever form it was given in. */
export function amountText(amount: number | string): string {
  return textOf(decimalOf(amount))
}
