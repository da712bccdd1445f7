import { describe, expect, it } from 'vitest'
import { decimalsOf, money, moneyFromMinorUnits } from '../../../src/client/schemas/money.js'
import { caught } from '../../support/caught.js'

// That an amount goes out as the same decimal: test/properties/amounts.test.ts.
describe('an amount that would not be exact, or is none, is refused with a sentence', () => {
  it.each([
    ['0.1 + 0.2, which is 0.30000000000000004 (peer failure 29)', 0.1 + 0.2, 'more than 15 digits'],
    ['sixteen digits', '1234567890123456', 'more than 15 digits'],
    ['sixteen digits as a number', 1234567890123456, 'more than 15 digits'],
    ['a number with a large exponent', 1.5e21, 'more than 15 digits'],
    ['four hundred digits', '9'.repeat(400), 'more than 15 digits'],
    ['NaN', Number.NaN, 'finite'],
    ['Infinity', Number.POSITIVE_INFINITY, 'finite'],
    ['a negative number', -1, 'negative'],
    ['a negative text', '-1', 'plain decimal'],
    ['a text with an exponent', '1e3', 'plain decimal'],
    ['a text with a comma', '10,50', 'plain decimal'],
    ['a BigInt', 10n, 'plain decimal'],
    ['null', null, 'plain decimal'],
    ['nothing', undefined, 'plain decimal'],
    ['an object', { amount: 1 }, 'plain decimal'],
    ['one too small for a number', `0.${'0'.repeat(330)}1`, 'smaller than a JSON number can say'],
  ])('%s', async (_case, amount, why) => {
    const error = await caught(() => Reflect.apply(money, undefined, [amount, 'ZZZ']))
    expect(error).toMatchObject({ code: 'invalid_input', field: 'amount' })
    expect(error.message).toContain(why)
  })
})

describe('money() checks the decimals of the currency', () => {
  it('as Intl has them, but for those that are not in daily use', () => {
    // On paper, and in ISO 4217, these have decimals; CLDR prints none.
    const onPaper = new Map([['IQD', 3]])
    const seldomPrinted = (code: string) => (decimalsOf(code) === 2 ? 2 : 0)
    // Drawing rights and a unit of account, in which nobody pays.
    const noMoney = ['XDR', 'XSU']
    for (const currency of Intl.supportedValuesOf('currency').filter((code) => !noMoney.includes(code))) {
      const format = new Intl.NumberFormat('en', { style: 'currency', currency })
      const printed = format.resolvedOptions().maximumFractionDigits || seldomPrinted(currency)
      expect([currency, decimalsOf(currency)]).toEqual([currency, onPaper.get(currency) ?? printed])
    }
    // Three letters across the borders of two codes are none.
    expect(decimalsOf('FNA')).toBeUndefined()
  })

  it.each([
    ['10.500', 'EUR', 10.5],
    [-0, 'EUR', 0],
    ['1000.0', 'JPY', 1000],
    ['1.234', 'KWD', 1.234],
    ['1.23456', 'ZZZ', 1.23456],
    ['10.50', 'eur', 10.5],
    ['10.50', 'HUF', 10.5],
    ['10.50', 'IDR', 10.5],
    ['10.50', 'PKR', 10.5],
  ])('%s %s is right', (amount, currencyCode, value) => {
    expect(money(amount, currencyCode)).toEqual({ amount: value, currencyCode })
  })

  it.each([
    ['10.505', 'EUR', 'amount has 3 decimals, but EUR has 2; round it first.'],
    [0.001, 'USD', 'amount has 3 decimals, but USD has 2; round it first.'],
    ['1000.5', 'JPY', 'amount has 1 decimals, but JPY has 0; round it first.'],
    ['1.2345', 'KWD', 'amount has 4 decimals, but KWD has 3; round it first.'],
    [5e-7, 'EUR', 'amount has 7 decimals, but EUR has 2; round it first.'],
    [1.5e-7, 'EUR', 'amount has 8 decimals, but EUR has 2; round it first.'],
  ])('%s %s is refused', async (amount, currencyCode, message) => {
    expect((await caught(() => money(amount, currencyCode))).message).toBe(message)
  })

  it.each(['', 'EU', 'EURO', 'E1R', 'EUR ', '€', null, undefined, 978])(
    '%j is no currency code',
    async (code) => {
      const error = await caught(() => Reflect.apply(money, undefined, [1, code]))
      expect(error).toMatchObject({ code: 'invalid_input', field: 'currencyCode' })
    },
  )
})

describe('minor units', () => {
  it.each([
    [1050, 'EUR', 10.5],
    [5, 'EUR', 0.05],
    [0, 'EUR', 0],
    [1050, 'JPY', 1050],
    [1050, 'KWD', 1.05],
    [123_456_789_012_345n, 'EUR', 1_234_567_890_123.45],
  ])('%s of %s are %s', (amount, currencyCode, expected) => {
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
})
