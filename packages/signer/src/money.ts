/** An amount in millionths: sums are exact, and comparing is cheap. */
export type Micros = bigint

const decimals = 6

/** How a policy and a token request write amounts. */
export const amountForm = /^(0|[1-9]\d{0,11})(?:\.(\d{1,6}))?$/

/** The amount of a plain decimal text; undefined for exponents, signs, more than 12 digits or more than 6 decimals. */
export function microsOf(text: string): Micros | undefined {
  const [, whole, fraction = ''] = amountForm.exec(text) ?? []
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** A decimal text of at least so many decimals: `1250.5`. */
export function amountText(micros: Micros, leastDecimals = 0): string {
  const digits = String(micros).padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '').padEnd(leastDecimals, '0')
  return digits.slice(0, -decimals) + (fraction === '' ? '' : `.${fraction}`)
}

/** As people write money, with the decimals of its currency: `1250.50 EUR`. */
export function moneyText(micros: Micros, currencyCode: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currencyCode })
  return `${amountText(micros, format.resolvedOptions().minimumFractionDigits)} ${currencyCode}`
}
