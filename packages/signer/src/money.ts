import { shortTextOf } from '../../../src/client/input/decimal.js'

/** An amount in millionths, so that sums are exact and comparing them is cheap. */
export type Micros = bigint

const decimals = 6
/** How amounts are written in a policy and in a token request. */
export const amountForm = /^(0|[1-9]\d{0,11})(?:\.(\d{1,6}))?$/

/** The amount of a plain decimal text; undefined for exponents, signs, more than 12 digits or more than 6 decimals. */
export function microsOf(text: string): Micros | undefined {
  const [, whole, fraction = ''] = amountForm.exec(text) ?? []
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** As people write it: `1250.5`. */
export function amountText(micros: Micros): string {
  return shortTextOf({ units: micros, decimals })
}

/** As people write it, and the same for the same money: `1250.5 EUR`. */
export function moneyText(micros: Micros, currencyCode: string): string {
  return `${amountText(micros)} ${currencyCode}`
}
