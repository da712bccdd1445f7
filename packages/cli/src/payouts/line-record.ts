import { createHmac } from 'node:crypto'
import type { PaymentMethodInput } from 'merchant-gateway'
import type { PayoutRequest } from '../files/payout-file.js'
import { isObject } from '../input/values.js'
import type { LineRecord } from './results.js'

export function recordOf(line: number, request: PayoutRequest, salt: string): LineRecord {
  const { amount, currencyCode } = request.paymentRequested.money
  return {
    line,
    amount: String(amount),
    currencyCode,
    method: fingerprintOf(request.paymentMethod, salt),
    payee: maskedPayee(request.paymentMethod),
  }
}

/** What of two lines differs; undefined when they ask for the same money to the same account. */
export function difference(now: LineRecord, before: LineRecord): string | undefined {
  if (Number(now.amount) !== Number(before.amount)) return 'amount'
  if (now.currencyCode.toUpperCase() !== before.currencyCode.toUpperCase()) return 'currency'
  return now.method === before.method ? undefined : 'account or method'
}

/** The same text for lines that ask for the same money to the same account. */
export function contentOf({ amount, currencyCode, method }: LineRecord): string {
  return `${Number(amount)} ${currencyCode.toUpperCase()} ${method}`
}

/** Of a hundred thousand lines over the same money, two accounts look alike once in 50,000 files. */
const hexDigits = 12

/** The gateway never shows the account of a payout, so only this tells that a line was changed. */
function fingerprintOf(method: PaymentMethodInput, salt: string): string {
  return createHmac('sha256', salt).update(inOrder(method)).digest('hex').slice(0, hexDigits)
}

/** Initials, and the last four of the account where these are less than half of it. */
export function maskedPayee({ account }: PaymentMethodInput): string | undefined {
  const { accountName = '', accountNumber = '' } = account ?? {}
  const initials = accountName
    .split(/\s+/)
    .flatMap((word) => [...word].slice(0, 1))
    .filter((first) => /\p{L}/u.test(first))
    .slice(0, 3)
    .map((first) => `${first}.`)
  const last = accountNumber.length > 8 ? [`…${accountNumber.slice(-4)}`] : []
  return [...initials, ...last].join(' ') || undefined
}

/** JSON in which the order of the fields makes no difference. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, inside: unknown) =>
    isObject(inside)
      ? Object.fromEntries(Object.entries(inside).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inside,
  )
}
