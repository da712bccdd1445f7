import { decimalOf } from '../../../../src/client/input/decimal.js'
import { moneyIn } from '../../../../src/client/input/money-in.js'
import { isObject } from '../../../../src/client/input/own.js'
import { type Money, UnusableResponseError } from '../../../../src/index.js'
import type { Balances } from './sheet.js'
import type { CurrencyBooks } from './types.js'

/**
 * The balances in an answer, whose shape the specification doesn't show (section 4, gaps).
 *
 * @throws {UnusableResponseError} where they can't be told, so that nobody closes the books on a guess.
 */
export function readBalances(
  answer: unknown,
  balancesOf: ((answer: unknown) => Iterable<Money>) | undefined,
): Balances {
  const found = new Map<string, NonNullable<ReturnType<typeof decimalOf>>>()
  const shown: Iterable<unknown> = balancesOf === undefined ? moneyIn(answer) : balancesOf(answer)
  if (typeof shown !== 'object' || shown === null || !(Symbol.iterator in shown)) throw noMoney()
  for (const one of shown) {
    if (!isObject(one)) throw noMoney()
    const { amount, currencyCode } = one
    const exact = decimalOf(amount)
    const code = String(currencyCode).toUpperCase()
    if (exact === undefined || !/^[A-Z]{3}$/.test(code)) throw unreadable('an amount in it is no decimal')
    if (found.has(code)) throw unreadable(`${code} is in it more than once`)
    found.set(code, exact)
  }
  if (found.size === 0) throw unreadable('it shows no money')
  return found
}

/**
 * @throws {UnusableResponseError} for a currency that the answer does not show, and that is not explained by a balance
 * of 0: a gateway that leaves out what is 0 can't be told from one that shows only some currencies.
 */
export function checkShown(currencies: readonly CurrencyBooks[], shown: Balances): void {
  for (const { currencyCode, unexplained } of currencies) {
    if (unexplained === '0' || shown.has(currencyCode)) continue
    throw unreadable(
      `it does not show ${currencyCode}, and payments have moved that or the last close has a balance of it`,
    )
  }
}

function noMoney(): UnusableResponseError {
  return unreadable('balancesOf gave no list of money')
}

function unreadable(why: string): UnusableResponseError {
  return new UnusableResponseError(
    `closeBooks: the balances can't be told from the answer to GET /balances, since ${why}; no payment was touched and the books are as they were, so say where the balances are by the option balancesOf.`,
    { issues: [why] },
  )
}
