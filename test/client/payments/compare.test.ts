import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { comparePayment, isTied } from '../../../src/client/payments/compare.js'
import type { PaymentCreateInput } from '../../../src/client/schemas/payment.js'
import { rowsOf } from '../../support/failures.js'

const request: PaymentCreateInput = {
  paymentRequested: { money: { amount: '10.50', currencyCode: 'EUR' } },
  paymentMethod: {
    paymentMethodCode: 'VAPAY',
    paymentOperatorCode: 'BANK_A',
    emailAddress: 'jane@shop.example',
    account: { accountName: 'Jane Roe', accountNumber: 'DE89 3704 0044' },
  },
  callbackUrl: 'https://shop.example/callbacks',
}

interface FoundParts {
  readonly money?: unknown
  readonly method?: object
  readonly account?: unknown
}

function found({ money, method, account }: FoundParts = {}): object {
  return {
    paymentRequested: { money: money ?? { amount: 10.5, currencyCode: 'EUR' } },
    paymentMethodResponse: {
      paymentMethodCode: 'VAPAY',
      account:
        account !== undefined
          ? account
          : { accountName: 'Jane Roe', accountNumber: 'DE89 3704 0044', bankCode: 'BANK_A' },
      ...method,
    },
  }
}

const accountOf = (fields: object) => ({
  accountName: 'Jane Roe',
  accountNumber: 'DE89 3704 0044',
  bankCode: 'BANK_A',
  ...fields,
})

/** Where a payment that was found shows something else than was asked for, what it shows, and what comes of it. */
const shown = `
  money.amount          | "10.5"                  | same
  money.currencyCode    | "eur"                   | same
  account.accountNumber | "de8937040044"          | same
  account.accountNumber | "DE89-3704-0044"        | same
  account.accountName   | "  JANE   ROE "         | same
  account.accountName   | "Ｊane Roe"             | same
  account.accountName   | "Jàné Roe"              | same
  paymentMethodCode     | "vapay"                 | same
  money.amount          | 10.500000000000002      | same
  money.amount          | "10.505"                | same
  paymentOperatorCode   | "BANK_A"                | same
  paymentOperatorCode   | "Bank A"                | same
  process               | { "status": "NEW" }     | same
  money.amount          | 10.51                   | differs | paymentRequested.money.amount
  money.amount          | "10.5051"               | differs | paymentRequested.money.amount
  money.amount          | 0                       | differs | paymentRequested.money.amount
  money.currencyCode    | "USD"                   | differs | paymentRequested.money.currencyCode
  paymentMethodCode     | "CARD"                  | differs | paymentMethod.paymentMethodCode
  paymentOperatorCode   | "BANK_B"                | differs | paymentMethod.paymentOperatorCode
  account.bankCode      | "BANK_B"                | differs | paymentMethod.paymentOperatorCode
  account.accountNumber | "DE89 3704 0045"        | differs | paymentMethod.account.accountNumber
  account.accountName   | "Roe J."                | unknown | paymentMethod.account.accountName
  account.accountName   | "John Roe"              | unknown | paymentMethod.account.accountName
  account.accountName   | "J••• R••"              | unknown | paymentMethod.account.accountName
  money.amount          | { "value": 1050, "scale": 2 } | unknown | paymentRequested.money.amount
  money.amount          | "ten"                   | unknown | paymentRequested.money.amount
  money.amount          | "10,50"                 | unknown | paymentRequested.money.amount
  money.amount          | "10.50 EUR"             | unknown | paymentRequested.money.amount
  money.amount          | ""                      | unknown | paymentRequested.money.amount
  money.amount          | true                    | unknown | paymentRequested.money.amount
  money.amount          | -10.5                   | unknown | paymentRequested.money.amount
  money.currencyCode    | "978"                   | unknown | paymentRequested.money.currencyCode
  money.currencyCode    | 978                     | unknown | paymentRequested.money.currencyCode
  money.currencyCode    | "€"                     | unknown | paymentRequested.money.currencyCode
  money.currencyCode    | { "code": "EUR" }       | unknown | paymentRequested.money.currencyCode
  account.accountNumber | "**** 0044"             | unknown | paymentMethod.account.accountNumber
  account.accountNumber | "XXXXXXXX0044"          | unknown | paymentMethod.account.accountNumber
  account.accountNumber | "37040044"              | unknown | paymentMethod.account.accountNumber
  account.accountNumber | "DE89 3704 0044 / 0800" | unknown | paymentMethod.account.accountNumber
  account.accountNumber | { "iban": "DE89" }      | unknown | paymentMethod.account.accountNumber
  paymentMethodCode     | { "code": "CARD" }      | unknown | paymentMethod.paymentMethodCode
  paymentMethodCode     | "Virtual account"       | unknown | paymentMethod.paymentMethodCode
  account.bankCode      | "0800"                  | unknown | paymentMethod.paymentOperatorCode`

describe('a payment that was found is compared with what was asked for', () => {
  it.each(rowsOf(shown))('%s: %s is %s', (place = '', value = '', verdict, field) => {
    const [name = '', inside] = place.split('.')
    const there: unknown = JSON.parse(value)
    const parts =
      name === 'money'
        ? { money: { amount: 10.5, currencyCode: 'EUR', [inside ?? '']: there } }
        : {
            [name === 'account' ? name : 'method']:
              name === 'account' ? accountOf({ [inside ?? '']: there }) : { [name]: there },
          }
    const { differences, notCompared } = comparePayment(request, found(parts))
    expect(differences.map((one) => one.field)).toEqual(verdict === 'differs' ? [field] : [])
    expect(notCompared).toEqual(verdict === 'unknown' ? [field] : [])
  })

  it('as it was sent, and with what differs in words, but for values that are a customer’s', () => {
    expect(comparePayment(request, found())).toEqual({ differences: [], notCompared: [] })
    const account = accountOf({ accountName: 'X', accountNumber: 'CZ6508000000' })
    const method = { paymentMethodCode: 'Jane Roe, Prague' }
    const payment = found({ money: { amount: 99, currencyCode: 'USD' }, account, method })
    expect(comparePayment(request, payment).differences.map(({ inWords }) => inWords)).toEqual([
      'paymentRequested.money.amount (10.50 was asked for, 99 is shown)',
      'paymentRequested.money.currencyCode (EUR was asked for, USD is shown)',
      'paymentMethod.paymentMethodCode',
      'paymentMethod.account.accountNumber',
      'paymentMethod.account.accountName',
    ])
  })

  const everything = [
    'paymentRequested.money.amount',
    'paymentRequested.money.currencyCode',
    'paymentMethod.paymentMethodCode',
    'paymentMethod.paymentOperatorCode',
    'paymentMethod.account.accountNumber',
    'paymentMethod.account.accountName',
  ]
  it.each<readonly [string, object, string[]]>([
    ['nothing at all', {}, everything],
    ['nulls', { paymentRequested: null, paymentMethodResponse: null }, everything],
    ['texts where objects belong', { paymentRequested: 'x', paymentMethodResponse: 'y' }, everything],
    ['no account, as of any payout', found({ account: null }), everything.slice(3)],
  ])('and what is not shown is not compared: %s', (_case, payment, notCompared) => {
    expect(comparePayment(request, payment)).toEqual({ differences: [], notCompared })
  })

  it('what was not asked for needs no comparison', () => {
    const small: PaymentCreateInput = {
      paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
      paymentMethod: { paymentMethodCode: 'VAPAY' },
    }
    expect(comparePayment(small, found())).toEqual({ differences: [], notCompared: [] })
  })

  it('a request without a payment method is compared by its money', () => {
    const bare = JSON.parse('{"paymentRequested":{"money":{"amount":10.5,"currencyCode":"EUR"}}}')
    expect(comparePayment(bare, found())).toEqual({ differences: [], notCompared: [] })
  })
})

describe('of what others rewrite, nothing decides alone', () => {
  const rows = readFileSync(new URL('names.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)

  it.each(rows.map((line) => line.split('\t')))('%s, shown as %s: %s', (asked = '', shown, same = '') => {
    const [, name = '', value = ''] = /^(\w+) (.*)$/.exec(asked) ?? []
    const { money, account } = {
      money: { amount: '1050.25', currencyCode: 'EUR' },
      account: { accountNumber: '000123-0123456789', accountName: 'Jana Example' },
    }
    const ofMoney = name === 'amount' || name === 'currencyCode'
    const there = name === 'amount' ? JSON.parse(shown ?? '') : shown
    const { differences, notCompared } = comparePayment(
      {
        paymentRequested: { money: { ...money, ...(ofMoney ? { [name]: value } : {}) } },
        paymentMethod: {
          paymentMethodCode: 'VAPAY',
          account: { ...account, ...(ofMoney ? {} : { [name]: value }) },
        },
      },
      {
        paymentRequested: { money: { ...money, ...(ofMoney ? { [name]: there } : {}) } },
        paymentMethodResponse: {
          paymentMethodCode: 'VAPAY',
          account: { ...account, ...(ofMoney ? {} : { [name]: there }) },
        },
      },
    )
    expect(differences.map((one) => one.field.split('.').at(-1))).toEqual(same === 'no' ? [name] : [])
    expect(notCompared.some((field) => field.endsWith(name))).toBe(
      same.startsWith('can not') || shown?.includes('*') === true,
    )
  })

  it.each([
    ['19-2000145399', '0000192000145399', []],
    ['19-2000145399', '000019-2000145399', []],
    ['19-2000145399', 'CZ6508000000192000145399', []],
    ['19-2000145399', 2000145399, []],
    ['CZ6508000000192000145399', 'CZ6508000000192000145300', ['paymentMethod.account.accountNumber']],
    ['19-2000145399', '19-2000145390', ['paymentMethod.account.accountNumber']],
    ['12345678', '987', ['paymentMethod.account.accountNumber']],
  ])('the account %s beside %s', (accountNumber, there, fields) => {
    const { differences } = comparePayment(
      { ...request, paymentMethod: { paymentMethodCode: 'VAPAY', account: { accountNumber } } },
      found({ account: { accountNumber: there } }),
    )
    expect(differences.map((one) => one.field)).toEqual(fields)
  })

  it.each([
    ['1050', 'JPY', 1050.4, true],
    ['1050', 'JPY', 1051, false],
    ['1.050', 'KWD', 1.051, false],
    ['1.0504', 'XTS', 1.0505, false],
    ['1.05', 'XTS', 1.0500001, true],
  ])('%s %s beside %d', (amount, currencyCode, there, isSame) => {
    const { differences } = comparePayment(
      { ...request, paymentRequested: { money: { amount, currencyCode } } },
      found({ money: { amount: there, currencyCode } }),
    )
    expect(differences.length === 0).toBe(isSame)
  })
})

describe('what a lookup found after a 409 bears it out', () => {
  const id = 'order-4711-b'
  it.each<readonly [string, object, boolean]>([
    ['by the money', { paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } } }, true],
    [
      'by other money: it is another payment, and there',
      { money: { amount: 99, currencyCode: 'EUR' } },
      true,
    ],
    ['by a status', { process: { status: 'PENDING' } }, true],
    ['by the id, wherever it stands', { reference: id }, true],
    ['by the id, however deep', JSON.parse(`${'[{"a":'.repeat(9_000)}"${id}"${'}]'.repeat(9_000)}`), true],
    ['not by an amount without a currency', { money: { amount: 10.5 } }, false],
    ['not by the id of another one', { reference: 'order-4711-c' }, false],
    ['not by nothing', {}, false],
  ])('%s', (_how, payment, tied) => {
    expect(isTied(payment, id, request)).toBe(tied)
  })
})
