import { hasMethod, isObject } from '../../../../src/client/input/own.js'
import {
  aFunction,
  anything,
  byDefault,
  flag,
  is,
  oneOf,
  optionWords,
  type Rows,
  read,
  required,
  signal,
  wholeNumber,
} from '../../../../src/client/input/reader.js'
import { ConfigurationError } from '../../../../src/index.js'
import { readOpening } from './read-entry.js'
import type { BalanceCounts, BooksClient, BooksEntry, CloseBooksOptions, Many } from './types.js'

export const isMany = (value: unknown) =>
  typeof value === 'object' && value !== null && (Symbol.iterator in value || Symbol.asyncIterator in value)

const isClient = (value: unknown) =>
  isObject(value) &&
  hasMethod(value.payins, 'retrieve') &&
  hasMethod(value.payouts, 'retrieve') &&
  hasMethod(value.balances, 'list')

const dayMs = 86_400_000

const countRows = {
  pendingPayins: flag,
  pendingPayouts: flag,
  fees: oneOf('with-payment', 'kept', 'apart'),
} satisfies Rows<BalanceCounts>

const rows = {
  client: required(is<BooksClient>('a GatewayClient', isClient)),
  opening: anything<CloseBooksOptions['opening']>(),
  payments: required(
    is<CloseBooksOptions['payments']>(
      'an iterable of payments, or a function that gives one',
      (value) => typeof value === 'function' || isMany(value),
    ),
  ),
  balanceCounts: byDefault(is<BalanceCounts>('an object such as { pendingPayouts: true }', isObject), {}),
  balancesOf: aFunction<NonNullable<CloseBooksOptions['balancesOf']>>('that takes an answer'),
  paidMoneyOf: aFunction<NonNullable<CloseBooksOptions['paidMoneyOf']>>('that takes a payin'),
  rounds: byDefault(wholeNumber(1), 10),
  rememberMs: byDefault(
    is<number>('a number of milliseconds, 0 or more', (value) => typeof value === 'number' && value >= 0),
    90 * dayMs,
  ),
  resume: is<Many<BooksEntry>>('an iterable of what onLookedUp was given', isMany),
  onLookedUp: aFunction<NonNullable<CloseBooksOptions['onLookedUp']>>('that takes an entry'),
  onProgress: aFunction<NonNullable<CloseBooksOptions['onProgress']>>('that takes how far the close is'),
  signal,
  now: byDefault(aFunction<() => number>('that gives the time'), Date.now),
} satisfies Rows<CloseBooksOptions>

const words = optionWords(ConfigurationError, 'closeBooks', 'client and payments')

/** @throws {ConfigurationError} naming what is unknown, missing or wrong. */
export function readCloseOptions(options: CloseBooksOptions) {
  const settings = read(options, rows, words)
  return {
    ...settings,
    balanceCounts: read(settings.balanceCounts, countRows, words, 'balanceCounts.'),
    opening: settings.opening === undefined ? undefined : readOpening(settings.opening),
  }
}
