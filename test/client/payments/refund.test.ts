import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalOf, isMore, minus, nothing, plus, textOf } from '../../../src/client/input/decimal.js'
import { paidMoney, refundId, sumsOf, whyNoRefund } from '../../../src/client/payments/refund.js'

const eur = (amount: unknown, currencyCode: unknown = 'EUR') => ({ amount, currencyCode })
const asked = (...money: readonly unknown[]) => money.map((one) => ({ paymentRequested: { money: one } }))

describe('the id of a refund', () => {
  test('never changes, since it is the lock', () => {
    // As Python's uuid.uuid5 has it.
    expect(refundId('order-1', 1)).toBe('2cedb2e8-500e-55c8-a068-36e5d6a242d0')
    expect(refundId('order-1', 2)).not.toBe(refundId('order-1', 1))
  })

  test('is a UUID of version 5, and another one for each payin and number', () => {
    const uuid = /^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
    const one = fc.tuple(fc.string(), fc.integer({ min: 1, max: 100 }))
    fc.assert(
      fc.property(one, one, ([a, n], [b, m]) => {
        expect(refundId(a, n)).toMatch(uuid)
        if (n !== m) expect(refundId(a, n)).not.toBe(refundId(b, m))
      }),
    )
  })

  test('is one for all spellings that a gateway may take for one id', () => {
    const spellings = [
      'caf\u00e9-1 a',
      'CAF\u00c9-1 A',
      'Cafe\u0301-1 a',
      ' caf\u00e9-1 a',
      'caf\u00e9-1 a\u00a0',
      'caf\u00e9-1  \uff21',
    ]
    expect(new Set(spellings.map((id) => refundId(id, 1))).size).toBe(1)
    expect(['\u1e9e', 'SS', '\u00df', '\u017fs'].map((id) => refundId(id, 1))).toEqual(
      Array(4).fill(refundId('ss', 1)),
    )
  })

  test.each([
    ['order-1', 'order-2'],
    ['order-1', 'order1'],
    ['order 1', 'order1'],
    ['cafe', 'caf\u00e9'],
    ['a_1', 'a-1'],
  ])('is another one for %j and %j', (one, other) => {
    expect(refundId(one, 1)).not.toBe(refundId(other, 1))
  })
})

describe('what a payin shows as paid', () => {
  test.each([
    ['what was asked for', { paymentRequested: { money: eur(10.5) } }, '10.5 EUR'],
    ['an amount as text', { paymentRequested: { money: eur('10.50', 'eur') } }, '10.50 EUR'],
    [
      'the least of two amounts',
      { paymentRequested: { money: eur(10.5) }, paymentMethodResponse: { money: eur(0.01) } },
      '0.01 EUR',
    ],
    [
      'nothing, where currencies differ',
      { paymentRequested: { money: eur(10.5) }, paymentMethodResponse: { money: eur(10.5, 'USD') } },
      undefined,
    ],
    [
      'nothing, where one of two amounts is none',
      { paymentRequested: { money: eur(10.5) }, paymentMethodResponse: { money: eur('10,50') } },
      undefined,
    ],
    ['nothing below 0', { paymentRequested: { money: eur(-1) } }, undefined],
    ['nothing where nothing is shown', { process: { status: 'SUCCESS' } }, undefined],
  ])('%s', (_name, payin, shown) => {
    const paid = paidMoney(payin)
    expect(paid && `${textOf(paid.amount)} ${paid.currencyCode}`).toBe(shown)
  })
})

describe('a refund', () => {
  test.each([
    ['of all', '10.50', [], undefined],
    ['of the rest', '0.30', asked(eur(10.2)), undefined],
    // In binary numbers, 0.1 + 0.2 is more than 0.3.
    ['of 0.1 and 0.2, of 10.5', '10.20', asked(eur(0.1), eur(0.2)), undefined],
    ['of a hundredth too much', '10.21', asked(eur(0.1), eur(0.2)), 'above-paid'],
    ['of more than was paid', '10.51', [], 'above-paid'],
    ['in another currency', '1', [], 'currency', 'USD'],
  ] as const)('%s', (_name, amount, earlier, why, code: string = 'EUR') => {
    const paid = paidMoney({ paymentRequested: { money: eur('10.50') } })
    const sums = paid && sumsOf(paid, earlier)
    if (sums === undefined) throw new Error('no sums')
    expect(whyNoRefund({ amount: Number(amount), currencyCode: code }, sums)).toBe(why)
  })

  test('adds up nothing that it can not read', () => {
    const paid = { amount: nothing, currencyCode: 'EUR' }
    expect(sumsOf(paid, asked(eur(1, 'USD')))).toBeUndefined()
    expect(sumsOf(paid, asked(eur('a lot')))).toBeUndefined()
    expect(sumsOf(paid, [{}])).toBeUndefined()
  })
})

describe('decimals', () => {
  test.each([
    [1e21, '1000000000000000000000'],
    [1e-7, '0.0000001'],
    ['0010.50', '10.50'],
    [-1.5, '-1.5'],
    ['-0.05', '-0.05'],
    [0, '0'],
  ])('%s is %s', (given, text) => {
    const decimal = decimalOf(given)
    expect(decimal && textOf(decimal)).toBe(text)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, '', '1,5', '.5', '5.', ' 1', '1e9999', 10n, null, {}])(
    '%s is none',
    (given) => expect(decimalOf(given)).toBeUndefined(),
  )

  test('are added and compared as whole numbers of cents are', () => {
    const cents = fc.integer({ min: -1_000_000, max: 1_000_000 })
    const exact = (n: number) => ({ units: BigInt(n), decimals: 2 })
    fc.assert(
      fc.property(cents, cents, (a, b) => {
        expect(plus(exact(a), exact(b))).toEqual(exact(a + b))
        expect(minus(exact(a), exact(b))).toEqual(exact(a - b))
        expect(isMore(exact(a), exact(b))).toBe(a > b)
      }),
    )
  })
})
