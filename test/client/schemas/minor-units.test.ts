import { expect, it } from 'vitest'
import { moneyFromMinorUnits } from '../../../src/client/schemas/money.js'

it.each([
  [1050, 'EUR', 10.5],
  [5, 'EUR', 0.05],
  [0, 'EUR', 0],
  [1050, 'JPY', 1050],
  [1050, 'KWD', 1.05],
  [123_456_789_012_345n, 'EUR', 1_234_567_890_123.45],
])('%s minor units of %s are %s', (amount, currencyCode, expected) => {
  expect(moneyFromMinorUnits(amount, currencyCode)).toEqual({ amount: expected, currencyCode })
})

it.each([
  [10.5, 'EUR', 'amount must be a whole number of minor units'],
  [-1, 'EUR', 'amount must not be negative'],
  [1n << 70n, 'EUR', 'more than 15 digits'],
  [1, 'EU', 'currencyCode must be a currency code of three letters'],
  [1, 'QQQ', 'how many decimals QQQ has is not known here'],
])('%s of %s are refused: %s', (amount, currencyCode, sentence) => {
  expect(() => moneyFromMinorUnits(amount, currencyCode)).toThrow(sentence)
})
