import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { comparePayment, isTied } from '../../../src/client/payments/compare.js'
import type { PaymentCreateInput } from '../../../src/client/schemas/payment.js'

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
      account: account ?? { accountName: 'Jane Roe', accountNumber: 'DE89 3704 0044', bankCode: 'BANK_A' },
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

describe('a found payment that asks for the same is the same', () => {
  it.each([
    ['as it was sent', found()],
    ['with the amount as a text', found({ money: { amount: '10.5', currencyCode: 'EUR' } })],
    ['with the currency in small letters', found({ money: { amount: 10.5, currencyCode: 'eur' } })],
    [
      'with the account number in other groups',
      found({ account: accountOf({ accountNumber: 'de8937040044' }) }),
    ],
    ['with dashes in the account number', found({ account: accountOf({ accountNumber: 'DE89-3704-0044' }) })],
    ['with the name in capitals', found({ account: accountOf({ accountName: '  JANE   ROE ' }) })],
    ['with the name in full-width letters', found({ account: accountOf({ accountName: 'Ｊane Roe' }) })],
    ['with the name without its accents', found({ account: accountOf({ accountName: 'Jàné Roe' }) })],
    ['with the method in small letters', found({ method: { paymentMethodCode: 'vapay' } })],
    ['with a blank for a dash in a code', found({ method: { paymentOperatorCode: 'Bank A' } })],
    [
      'with an amount that a sum has left',
      found({ money: { amount: 10.500000000000002, currencyCode: 'EUR' } }),
    ],
    ['with half a cent more', found({ money: { amount: '10.505', currencyCode: 'EUR' } })],
    ['with the operator under its own name', found({ method: { paymentOperatorCode: 'BANK_A' } })],
    ['with more than was asked', { ...found(), process: { status: 'NEW' }, more: true }],
  ])('%s', (_case, payment) => {
    expect(comparePayment(request, payment)).toEqual({ differences: [], notCompared: [] })
  })
})

describe('a found payment that asks for something else differs, and the field says in what', () => {
  it.each([
    ['paymentRequested.money.amount', found({ money: { amount: 10.51, currencyCode: 'EUR' } })],
    ['paymentRequested.money.amount', found({ money: { amount: '10.5051', currencyCode: 'EUR' } })],
    ['paymentRequested.money.amount', found({ money: { amount: 0, currencyCode: 'EUR' } })],
    ['paymentRequested.money.currencyCode', found({ money: { amount: 10.5, currencyCode: 'USD' } })],
    ['paymentMethod.paymentMethodCode', found({ method: { paymentMethodCode: 'CARD' } })],
    ['paymentMethod.paymentOperatorCode', found({ method: { paymentOperatorCode: 'BANK_B' } })],
    ['paymentMethod.paymentOperatorCode', found({ account: accountOf({ bankCode: 'BANK_B' }) })],
    [
      'paymentMethod.account.accountNumber',
      found({ account: accountOf({ accountNumber: 'DE89 3704 0045' }) }),
    ],
  ])('%s', (field, payment) => {
    const { differences, notCompared } = comparePayment(request, payment)
    expect(differences.map((one) => one.field)).toEqual([field])
    expect(notCompared).toEqual([])
  })

  it('in several fields at once, and with no value that is a customer’s', () => {
    const payment = found({
      money: { amount: 99, currencyCode: 'USD' },
      account: accountOf({ accountName: 'X' }),
    })
    const { differences } = comparePayment(request, payment)
    expect(differences.map(({ inWords }) => inWords)).toEqual([
      'paymentRequested.money.amount (10.50 was asked for, 99 is shown)',
      'paymentRequested.money.currencyCode (EUR was asked for, USD is shown)',
      'paymentMethod.account.accountName',
    ])
  })
})

describe('what a found payment does not show is not compared, and said', () => {
  const everything = [
    'paymentRequested.money.amount',
    'paymentRequested.money.currencyCode',
    'paymentMethod.paymentMethodCode',
    'paymentMethod.paymentOperatorCode',
    'paymentMethod.account.accountNumber',
    'paymentMethod.account.accountName',
  ]
  it.each([
    ['nothing at all', {}, everything],
    ['nulls', { paymentRequested: null, paymentMethodResponse: null }, everything],
    ['texts where objects belong', { paymentRequested: 'x', paymentMethodResponse: 'y' }, everything],
    [
      'a payout, which never shows its account',
      {
        paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
        paymentMethodResponse: { idPayout: 'a', paymentMethodCode: 'VAPAY' },
      },
      everything.slice(3),
    ],
    ...['Roe J.', 'John Roe', 'ACME s.r.o.', 'J••• R••'].map((accountName): [string, object, string[]] => [
      `a name that is masked, or differs and nothing else: ${accountName}`,
      found({ account: accountOf({ accountName }) }),
      ['paymentMethod.account.accountName'],
    ]),
    ...[{ value: 1050, scale: 2 }, 'ten', '10,50', '10.50 EUR', '', true, -10.5, Number.NaN].map(
      (amount): [string, object, string[]] => [
        `an amount that is none: ${JSON.stringify(amount)}`,
        found({ money: { amount, currencyCode: 'EUR' } }),
        ['paymentRequested.money.amount'],
      ],
    ),
    [
      'what a method is called',
      found({ method: { paymentMethodCode: 'Virtual account' } }),
      ['paymentMethod.paymentMethodCode'],
    ],
    [
      'the number of a bank for its letters',
      found({ account: accountOf({ bankCode: '0800' }) }),
      ['paymentMethod.paymentOperatorCode'],
    ],
    ...['978', 978, '€', { code: 'EUR' }].map((currencyCode): [string, object, string[]] => [
      `a currency that is no code: ${JSON.stringify(currencyCode)}`,
      found({ money: { amount: 10.5, currencyCode } }),
      ['paymentRequested.money.currencyCode'],
    ]),
    ...['**** 0044', 'XXXXXXXX0044', '0044', '37040044', 'DE89 3704 0044 / 0800', { iban: 'DE89' }].map(
      (accountNumber): [string, object, string[]] => [
        `an account number in another form: ${JSON.stringify(accountNumber)}`,
        found({ account: accountOf({ accountNumber }) }),
        ['paymentMethod.account.accountNumber'],
      ],
    ),
    [
      'a method that is no text',
      found({ method: { paymentMethodCode: { code: 'CARD' } } }),
      ['paymentMethod.paymentMethodCode'],
    ],
  ])('%s', (_case, payment, notCompared) => {
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

describe('a difference in words', () => {
  const wordsOf = (parts: FoundParts) =>
    comparePayment(request, found(parts)).differences.map(({ inWords }) => inWords)

  it.each<readonly [string, FoundParts, string[]]>([
    [
      'shows amounts and codes',
      { money: { amount: 11, currencyCode: 'EUR' } },
      ['paymentRequested.money.amount (10.50 was asked for, 11 is shown)'],
    ],
    [
      'shows nothing of an account',
      { account: accountOf({ accountNumber: 'CZ6508000000' }) },
      ['paymentMethod.account.accountNumber'],
    ],
    [
      'shows no text that is no code: it may be a customer’s',
      { method: { paymentMethodCode: 'Jane Roe, Prague' } },
      ['paymentMethod.paymentMethodCode'],
    ],
  ])('%s', (_what, parts, words) => {
    expect(wordsOf(parts)).toEqual(words)
  })
})
