import { type Money, UnusableResponseError } from 'merchant-gateway'
import { Sums, unitsOf } from '../input/amounts.js'
import { isObject, moneyIn } from '../input/values.js'
import type { CurrencyReconciliation } from './types.js'

/**
 * The balances in a response, whose shape the specification doesn't show (section 4, gaps).
 *
 * @throws where they can't be determined: nothing is compared with a guess ({@link UnusableResponseError}).
 */
export function readBalances(
  response: unknown,
  balancesOf: ((response: unknown) => Iterable<Money>) | undefined,
): Sums {
  const found = new Sums()
  const shown: unknown = balancesOf === undefined ? moneyIn(response) : balancesOf(response)
  if (!isIterable(shown)) throw unreadable(noList)
  for (const one of shown) {
    if (!isObject(one)) throw unreadable(noList)
    const amount = unitsOf(one.amount)
    const code = String(one.currencyCode).toUpperCase()
    if (amount === undefined || !/^[A-Z]{3}$/.test(code)) throw unreadable('an amount in it is no decimal')
    if (found.codes.includes(code)) throw unreadable(`${code} is in it more than once`)
    found.add(amount, code)
  }
  if (found.codes.length === 0) throw unreadable('it shows no money')
  return found
}

const noList = 'balancesOf gave no list of money'

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

/**
 * @throws for a currency that the response does not show, and that is not explained by a
 * balance of 0: a gateway that leaves out what is 0 can't be told from one that shows only some currencies ({@link UnusableResponseError}).
 */
export function checkShown(currencies: readonly CurrencyReconciliation[], { codes }: Sums): void {
  for (const { currencyCode, unexplained } of currencies) {
    if (unexplained === '0' || codes.includes(currencyCode)) continue
    throw unreadable(
      `it does not show ${currencyCode}, and payments have moved that or the last run has a balance of it`,
    )
  }
}

function unreadable(why: string): UnusableResponseError {
  return new UnusableResponseError(
    `reconcileBalances: the balances can't be told from the response to GET /balances, since ${why}; no payment was touched, so say where the balances are by the option balancesOf.`,
    { issues: [why] },
  )
}
