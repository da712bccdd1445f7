import { InvalidInputError } from '../errors.js'
import { wrongInput } from '../input/wrong-input.js'
import { checkCurrencyCode, decimalsOf, type Money, money } from './money.js'

/**
 * Money from an amount in the currency's minor unit, as many shops keep it: 1050 cents are 10.50 EUR, 1050 yen are
 * 1050 JPY, 1050 fils are 1.050 KWD.
 *
 * @param amount a whole number of minor units, 0 or more.
 * @example
 * moneyFromMinorUnits(1050, 'EUR') // { amount: 10.5, currencyCode: 'EUR' }
 * @throws {InvalidInputError} for an amount that is no whole number, and a currency whose decimals are not known.
 */
export function moneyFromMinorUnits(amount: number | bigint, currencyCode: string): Money {
  if (typeof amount !== 'bigint' && !Number.isSafeInteger(amount)) {
    throw wrongInput('amount', 'must be a whole number of minor units, such as 1050 for 10.50 EUR')
  }
  if (amount < 0) throw wrongInput('amount', 'must not be negative')
  checkCurrencyCode(currencyCode, 'currencyCode')
  const decimals = decimalsOf(currencyCode)
  if (decimals === undefined) {
    throw new InvalidInputError(
      `how many decimals ${currencyCode} has is not known here; give the amount in its main unit to money().`,
      { field: 'currencyCode' },
    )
  }
  const digits = String(amount).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  return money(decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`, currencyCode)
}
