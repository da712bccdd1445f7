import { moneyFromMinorUnits } from 'merchant-gateway'

/** Amounts are added as whole numbers of units so small that no currency has less. */
const decimals = 30

/** A response may hold a number of a million digits, whose sum would stop the process for a second. */
const form = /^-?\d{1,1000}(?:\.\d{1,1000})?(?:e[+-]?\d{1,3})?$/i

/** The units of a number or a plain decimal text; undefined for anything else, and for what is smaller than a unit. */
export function unitsOf(amount: unknown): bigint | undefined {
  const written = typeof amount === 'number' ? String(amount) : amount
  if (typeof written !== 'string' || !form.test(written)) return undefined
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = fraction.replace(/0+$/, '')
  const zeros = decimals - digits.length + Number(exponent)
  return zeros < 0 ? undefined : BigInt(whole + digits) * 10n ** BigInt(zeros)
}

/** An amount with the decimals that its currency has, or more where it has more: 10.50 EUR, 1050 JPY. */
export function currencyText(amount: bigint | string | number, currencyCode: string): string {
  const units = typeof amount === 'bigint' ? amount : unitsOf(amount)
  if (units === undefined) return String(amount)
  if (units < 0n) return `-${currencyText(-units, currencyCode)}`
  const written = String(units).padStart(decimals + 1, '0')
  const fraction = written.slice(-decimals).replace(/0+$/, '').padEnd(decimalsOf(currencyCode), '0')
  return `${written.slice(0, -decimals)}${fraction && `.${fraction}`}`
}

/** How many decimals a currency has; 0 where nobody knows. */
function decimalsOf(currencyCode: string): number {
  try {
    const { amount } = moneyFromMinorUnits(1, currencyCode.toUpperCase())
    return Math.round(-Math.log10(amount))
  } catch {
    return 0
  }
}

/** Money as people read it: 10.50 EUR. */
export function moneyText(money: {
  readonly amount: string | number
  readonly currencyCode: string
}): string {
  return `${currencyText(money.amount, money.currencyCode)} ${money.currencyCode}`
}

/** Sums of money by currency, exact for any number of payments. */
export class Sums {
  readonly #sums = new Map<string, bigint>()

  /** @param amount units, or what was checked to be a decimal. */
  add(amount: bigint | string | number, currencyCode: string): void {
    const code = currencyCode.toUpperCase()
    const units = typeof amount === 'bigint' ? amount : (unitsOf(amount) ?? 0n)
    this.#sums.set(code, this.of(code) + units)
  }

  of(code: string): bigint {
    return this.#sums.get(code) ?? 0n
  }

  textOf(code: string): string {
    return currencyText(this.of(code), code)
  }

  /** In the order of the alphabet. */
  get codes(): string[] {
    return [...this.#sums.keys()].sort()
  }
}
