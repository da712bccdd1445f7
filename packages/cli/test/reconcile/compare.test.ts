import type { PaymentKind } from 'merchant-gateway'
import type { BalanceCounts, KnownPayment } from 'merchant-gateway-cli'
import { describe, expect, test } from 'vitest'
import { countedOf } from '../../src/reconcile/counted.js'
import { isDue, type Row } from '../../src/reconcile/rows.js'

const known = (status: string, amount?: string, fee?: string): KnownPayment => ({
  kind: 'payout',
  id: 'w-1',
  status,
  final: status !== 'PENDING',
  since: '2026-11-27T10:00:00.000Z',
  ...(amount === undefined ? {} : { payment: { amount, currencyCode: 'EUR' } }),
  ...(fee === undefined ? {} : { fee: { amount: fee, currencyCode: 'EUR' } }),
})
const row = (more: Partial<Row>): Row => ({ kind: 'payout', id: 'w-1', ...more })
const own = (status?: string) => ({ status, money: undefined })
const [open, paid] = [known('PENDING'), known('SUCCESS', '-20')]

test.each<[string, Partial<Row>, byItself: boolean, lookingBack: boolean]>([
  ['is new', { own: own() }, true, true],
  ['is not final', { before: open, now: open }, true, true],
  ['is final', { before: paid, now: paid }, false, true],
  ['is final and was looked up', { now: paid, isSeen: true }, false, false],
  ['is final, as you have it', { own: own('SUCCESS'), now: paid }, false, true],
  ['has another status with you', { own: own('RETURNED'), now: paid }, true, true],
  ['had that at its lookup', { own: own('PAID'), ownThen: 'PAID', now: paid, isSeen: true }, false, false],
  ['has got another one since', { own: own('BACK'), ownThen: 'PAID', now: paid, isSeen: true }, true, true],
])('a payment that %s is looked up: %j', (_, more, byItself, lookingBack) => {
  expect([isDue(row(more), false), isDue(row(more), true)]).toEqual([byItself, lookingBack])
})

describe('what the balance holds of a payment', () => {
  const standings = {
    unknown: { status: undefined, paid: false, final: false },
    pending: { status: 'PENDING', paid: false, final: false },
    paid: { status: 'SUCCESS', paid: true, final: true },
    failed: { status: 'FAILED', paid: false, final: true },
  }
  const both = 'money and fee'
  const holds = (kind: PaymentKind, counts: BalanceCounts, ownStatus?: string) =>
    Object.values(standings).map((standing) => {
      const { payment, fee } = countedOf(kind, standing, ownStatus, counts)
      if (payment && fee) return both
      return payment ? 'money' : fee ? 'fee' : ''
    })

  test.each<[PaymentKind, BalanceCounts, unknown: string, pending: string, paid: string, failed: string]>([
    ['payin', {}, '', '', both, ''],
    ['payout', {}, '', '', both, ''],
    ['payin', { pendingPayins: true }, '', both, both, ''],
    ['payin', { pendingPayouts: true }, '', '', both, ''],
    ['payout', { pendingPayouts: true }, '', both, both, ''],
    ['payout', { fees: 'apart' }, '', '', 'money', ''],
    ['payout', { fees: 'kept' }, '', '', both, ''],
    ['payout', { fees: 'kept', pendingPayouts: true }, '', both, both, 'fee'],
    ['payin', { fees: 'kept', pendingPayins: true }, '', both, both, ''],
  ])('a %s, by %j: unknown %j, pending %j, paid %j, failed %j', (kind, counts, ...expected) => {
    expect(holds(kind, counts)).toEqual(expected)
  })

  test('a fee that is kept stays of what you have seen paid', () => {
    expect(holds('payin', { fees: 'kept' }, 'SUCCESS').at(-1)).toBe('fee')
  })
})
