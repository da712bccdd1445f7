import { isRecord } from './json-body.js'
import { Refusal } from './response.js'

/** An amount and its currency as the gateway carries them (section 2). */
export interface SandboxMoney {
  /** Decimal, in the currency's main unit. */
  readonly amount: number
  /** Three-letter currency code. */
  readonly currencyCode: string
}

/** Takes a Money object, or refuses with the name of the field that is certainly wrong. */
export function parseMoney(value: unknown, field: string): SandboxMoney {
  if (!isRecord(value)) throw new Refusal(400, 'INVALID_MONEY', `${field} must be an object.`)
  const { amount, currencyCode } = value
  if (typeof amount !== 'number' || !Number.isFinite(amount) || amount <= 0) {
    throw new Refusal(400, 'INVALID_MONEY', `${field}.amount must be a number above 0.`)
  }
  if (typeof currencyCode !== 'string' || !/^[A-Z]{3}$/.test(currencyCode)) {
    throw new Refusal(400, 'INVALID_MONEY', `${field}.currencyCode must be a code of three capital letters.`)
  }
  return { amount, currencyCode }
}

/** Whether two amounts are the same money. */
export function sameMoney(a: SandboxMoney, b: SandboxMoney): boolean {
  return a.amount === b.amount && a.currencyCode === b.currencyCode
}
