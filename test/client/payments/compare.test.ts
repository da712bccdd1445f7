import { describe, expect, it } from 'vitest'
import { comparePayment } from '../../../src/client/payments/compare.js'
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
    ['with the operator under its own name', found({ method: { paymentOperatorCode: 'BANK_A' } })],
    ['with more than was asked', { ...found(), process: { status: 'NEW' }, more: true }],
  ])('%s', (_case, payment) => {
    expect(comparePayment(request, payment)).toEqual({ differences: [], notCompared: [] })
  })
})

describe('a found payment that asks for something else differs, and the field says in what', () => {
  it.each([
    ['paymentRequested.money.amount', found({ money: { amount: 10.51, currencyCode: 'EUR' } })],
    ['paymentRequested.money.amount', found({ money: { amount: 0, currencyCode: 'EUR' } })],
    ['paymentRequested.money.amount', found({ money: { amount: 'ten', currencyCode: 'EUR' } })],
    ['paymentRequested.money.currencyCode', found({ money: { amount: 10.5, currencyCode: 'USD' } })],
    ['paymentMethod.paymentMethodCode', found({ method: { paymentMethodCode: 'CARD' } })],
    ['paymentMethod.paymentOperatorCode', found({ method: { paymentOperatorCode: 'BANK_B' } })],
    ['paymentMethod.paymentOperatorCode', found({ account: accountOf({ bankCode: 'BANK_B' }) })],
    [
      'paymentMethod.account.accountNumber',
      found({ account: accountOf({ accountNumber: 'DE89 3704 0045' }) }),
    ],
    ['paymentMethod.account.accountName', found({ account: accountOf({ accountName: 'John Roe' }) })],
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
    [
      'a masked account number',
      found({ account: accountOf({ accountNumber: '**** 0044' }) }),
      ['paymentMethod.account.accountNumber'],
    ],
    [
      'an account number masked by x',
      found({ account: accountOf({ accountNumber: 'XXXXXXXX0044' }) }),
      ['paymentMethod.account.accountNumber'],
    ],
    [
      'a masked name',
      found({ account: accountOf({ accountName: 'J••• R••' }) }),
      ['paymentMethod.account.accountName'],
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
