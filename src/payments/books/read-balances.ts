import { decimalOf } from '../../client/input/decimal.js'
import { moneyIn } from '../../client/input/money-in.js'
import { type Money, UnusableResponseError } from '../../index.js'
import type { Balances } from './sheet.js'

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
  for (const { amount, currencyCode } of balancesOf?.(answer) ?? moneyIn(answer)) {
    const exact = decimalOf(amount)
    const code = String(currencyCode).toUpperCase()
    if (exact === undefined || !/^[A-Z]{3}$/.test(code)) throw unreadable('an amount in it is no decimal')
    if (found.has(code)) throw unreadable(`${code} is in it more than once`)
    found.set(code, exact)
  }
  if (found.size === 0) throw unreadable('it shows no money')
  return found
}

function unreadable(why: string): UnusableResponseError {
  return new UnusableResponseError(
    `closeBooks: the balances can't be told from the answer to GET /balances, since ${why}; no payment was touched and the books are as they were, so say where the balances are by the option balancesOf.`,
    { issues: [why] },
  )
}
