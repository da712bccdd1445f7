export interface Decimal {
  readonly units: bigint
  readonly decimals: number
}

export interface ExactMoney {
  readonly amount: Decimal
  readonly currencyCode: string
}

const form = /^-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?$/i

export function decimalOf(amount: unknown): Decimal | undefined {
  const written = typeof amount === 'number' ? String(amount) : amount
  if (typeof written !== 'string' || !form.test(written)) return undefined
  const [mantissa = '', exponent = '0'] = written.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const decimals = fraction.length - Number(exponent)
  const units = BigInt(whole + fraction)
  return decimals < 0 ? { units: units * 10n ** BigInt(-decimals), decimals: 0 } : { units, decimals }
}

export const nothing: Decimal = { units: 0n, decimals: 0 }

export function plus(a: Decimal, b: Decimal): Decimal {
  const decimals = Math.max(a.decimals, b.decimals)
  return { units: scaled(a, decimals) + scaled(b, decimals), decimals }
}

export function minus(a: Decimal, b: Decimal): Decimal {
  return plus(a, { ...b, units: -b.units })
}

export function isMore(a: Decimal, b: Decimal): boolean {
  return minus(a, b).units > 0n
}

function scaled({ units, decimals }: Decimal, to: number): bigint {
  return units * 10n ** BigInt(to - decimals)
}

export function textOf({ units, decimals }: Decimal): string {
  if (units < 0n) return `-${textOf({ units: -units, decimals })}`
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** As a currency of so many decimals writes it: 10.50 and 6.00 where it has two, and no zeros beyond them. */
export function moneyTextOf(sum: Decimal, decimals = 0): string {
  const [whole = '', fraction = ''] = textOf(sum).split('.')
  const shown = fraction.replace(/0+$/, '').padEnd(decimals, '0')
  return shown === '' ? whole : `${whole}.${shown}`
}
