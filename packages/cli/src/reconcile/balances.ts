import { type Money, UnusableResponseError } from 'merchant-gateway'
import { type Decimal, decimalOf } from '../input/decimal.js'
import { isObject, moneyIn } from '../input/values.js'
import type { CurrencyReconciliation } from './types.js'

/** Balances by currency. */
export type Balances = ReadonlyMap<string, Decimal>

/**
 * The balances in a response, whose shape the specification doesn't show (section 4, gaps).
 *
 * @throws {UnusableResponseError} where they can't be told: nothing is compared with a guess.
 */
export function readBalances(
  response: unknown,
  balancesOf: ((response: unknown) => Iterable<Money>) | undefined,
): Balances {
  const found = new Map<string, Decimal>()
  const shown: unknown = balancesOf === undefined ? moneyIn(response) : balancesOf(response)
  if (!isIterable(shown)) throw noMoney()
  for (const one of shown) {
    if (!isObject(one)) throw noMoney()
    const amount = decimalOf(one.amount)
    const code = String(one.currencyCode).toUpperCase()
    if (amount === undefined || !/^[A-Z]{3}$/.test(code)) throw unreadable('an amount in it is no decimal')
    if (found.has(code)) throw unreadable(`${code} is in it more than once`)
    found.set(code, amount)
  }
  if (found.size === 0) throw unreadable('it shows no money')
  return found
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

/**
 * @throws {UnusableResponseError} for a currency that the response does not show, and that is not explained by a
 * balance of 0: a gateway that leaves out what is 0 can't be told from one that shows only some currencies.
 */
export function checkShown(currencies: readonly CurrencyReconciliation[], shown: Balances): void {
  for (const { currencyCode, unexplained } of currencies) {
    if (unexplained === '0' || shown.has(currencyCode)) continue
    throw unreadable(
      `it does not show ${currencyCode}, and payments have moved that or the last run has a balance of it`,
    )
  }
}

function noMoney(): UnusableResponseError {
  return unreadable('balancesOf gave no list of money')
}

function unreadable(why: string): UnusableResponseError {
  return new UnusableResponseError(
    `reconcileBalances: the balances can't be told from the response to GET /balances, since ${why}; no payment was touched, so say where the balances are by the option balancesOf.`,
    { issues: [why] },
  )
}
