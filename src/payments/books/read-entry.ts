import { decimalOf } from '../../client/input/decimal.js'
import { isObject } from '../../client/input/own.js'
import { InvalidInputError } from '../../index.js'
import type { BooksEntry, BooksMoney, BooksOpening } from './types.js'

/**
 * What the last close has returned as `next`, as it comes back from where it was kept.
 *
 * @param value parsed JSON.
 * @returns the same, checked, for `opening` of `closeBooks`.
 * @throws {InvalidInputError} for anything else: a file that is cut or was changed would look like money that is missing.
 * @example
 * const opening = readOpening(JSON.parse(await readFile('books.json', 'utf8')))
 */
export function readOpening(value: unknown): BooksOpening {
  if (!isObject(value) || value.version !== 1) throw wrong('opening')
  const { closedAt, balances, payments } = value
  if (!isTime(closedAt) || !isObject(balances) || !Array.isArray(payments)) throw wrong('opening')
  const amounts = Object.entries(balances).map(([code, amount]) => {
    if (!/^[A-Z]{3}$/.test(code) || !isDecimal(amount)) throw wrong('opening')
    return [code, amount] as const
  })
  return {
    version: 1,
    closedAt,
    balances: Object.fromEntries(amounts),
    payments: payments.map((entry) => readEntry(entry, 'opening')),
  }
}

/** One entry of it, or of what was handed to `onLookedUp`. */
export function readEntry(value: unknown, field: string): BooksEntry {
  if (!isObject(value)) throw wrong(field)
  const { kind, id, status, final, since, payment, fee } = value
  const isKind = kind === 'payin' || kind === 'payout'
  if (!isKind || typeof id !== 'string' || typeof final !== 'boolean' || !isTime(since)) throw wrong(field)
  if (status !== undefined && typeof status !== 'string') throw wrong(field)
  return {
    kind,
    id,
    ...(status === undefined ? {} : { status }),
    final,
    since,
    ...(payment === undefined ? {} : { payment: readMoney(payment, field) }),
    ...(fee === undefined ? {} : { fee: readMoney(fee, field) }),
  }
}

function readMoney(value: unknown, field: string): BooksMoney {
  if (!isObject(value)) throw wrong(field)
  const { amount, currencyCode } = value
  if (!isDecimal(amount) || typeof currencyCode !== 'string') throw wrong(field)
  return { amount, currencyCode }
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}

function isDecimal(value: unknown): value is string {
  return typeof value === 'string' && decimalOf(value) !== undefined
}

function wrong(field: string): InvalidInputError {
  return new InvalidInputError(
    `closeBooks: ${field} is not what a close has returned; nothing was looked up and the books are as they were, so give it as it was kept, in whole.`,
    { field },
  )
}
