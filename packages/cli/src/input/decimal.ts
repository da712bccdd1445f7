import { moneyFromMinorUnits } from 'merchant-gateway'

/** A decimal without rounding: `units` of which ten to the power of `decimals` make one. */
export interface Decimal {
  readonly units: bigint
  readonly decimals: number
}

/** An amount of one currency, without rounding. */
export interface ExactMoney {
  readonly amount: Decimal
  /** In capitals. */
  readonly currencyCode: string
}

/** A response may hold a number of a million digits, whose sum would stop the process for a second. */
const form = /^-?\d{1,1000}(?:\.\d{1,1000})?(?:e[+-]?\d{1,3})?$/i

/** The decimal of a number or a plain decimal text; undefined for anything else. */
export function decimalOf(amount: unknown): Decimal | undefined {
  const written = typeof amount === 'number' ? String(amount) : amount
  if (typeof written !== 'string' || !form.test(written)) return undefined
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const decimals = fraction.length - Number(exponent)
  const units = BigInt(whole + fraction)
  return decimals < 0 ? { units: units * 10n ** BigInt(-decimals), decimals: 0 } : { units, decimals }
}

/** The same of what was checked before; 0 for what is absent. */
export function exact(amount: string | number | undefined): Decimal {
  return decimalOf(amount) ?? nothing
}

export const nothing: Decimal = { units: 0n, decimals: 0 }

export function plus(a: Decimal, b: Decimal): Decimal {
  const decimals = Math.max(a.decimals, b.decimals)
  const scaled = (one: Decimal) => one.units * 10n ** BigInt(decimals - one.decimals)
  return { units: scaled(a) + scaled(b), decimals }
}

export function minus(a: Decimal, b: Decimal): Decimal {
  return plus(a, { ...b, units: -b.units })
}

/** As text in digits: `1234.50`. */
export function textOf({ units, decimals }: Decimal): string {
  if (units < 0n) return `-${textOf({ units: -units, decimals })}`
  const digits = String(units).padStart(decimals + 1, '0')
  const point = digits.length - decimals
  return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
}

/** Without zeros at the end: 10.5 and 6, where 10.50 and 6.0 were added up. */
export function shortTextOf(sum: Decimal): string {
  const text = textOf(sum)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** An amount as decimal text: what is no decimal stays as it is. */
export function amountText(amount: string | number): string {
  const decimal = decimalOf(amount)
  return decimal === undefined ? String(amount) : textOf(decimal)
}

/** An amount with the decimals that its currency has, or more where it has more: 10.50 EUR, 1050 JPY. */
export function currencyText(amount: string | number, currencyCode: string): string {
  const decimal = decimalOf(amount)
  if (decimal === undefined) return String(amount)
  const [whole = '', fraction = ''] = shortTextOf(decimal).split('.')
  const digits = fraction.padEnd(decimalsOf(currencyCode), '0')
  return digits === '' ? whole : `${whole}.${digits}`
}

/** Money as people read it: 10.50 EUR. */
export function moneyText({
  amount,
  currencyCode,
}: {
  readonly amount: string | number
  readonly currencyCode: string
}): string {
  return `${currencyText(amount, currencyCode)} ${currencyCode}`
}

/** How many decimals a currency has; 0 where nobody knows. */
function decimalsOf(currencyCode: string): number {
  try {
    return decimalOf(moneyFromMinorUnits(1, currencyCode.toUpperCase()).amount)?.decimals ?? 0
  } catch {
    return 0
  }
}
