import { type RefundRefusal, RefundRefusedError } from '../errors.js'
import { type Decimal, decimalOf, isMore, minus, nothing, plus, textOf } from '../input/decimal.js'
import type { Money } from '../schemas/money.js'
import { field, shownMoney } from './answer.js'

/** The namespace of the ids of refunds (RFC 9562, section 5.5). It never changes: an id is the lock of its refund. */
const namespace = '7d6c1f0a-8f2b-4f6e-9a35-3c1f4f0f6b52'

/**
 * The id of the payout that is this refund of a payin: the same in every process and every version, so that the
 * gateway accepts each number once (specification, section 4). A UUID of version 5, of the payin's id and the number.
 *
 * @param idPayin the id that the payin was created under.
 * @param number 1 for the first refund of the payin, 2 for the second, and so on.
 * @example
 * const payout = await client.payouts.retrieve(refundId('order-1', 1))
 */
export function refundId(idPayin: string, number: number): string {
  const hash = process
    .getBuiltinModule('node:crypto')
    .createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    // The number goes first and has nothing but digits, so no two refunds have one name.
    .update(`refund ${number} of ${idPayin}`)
    .digest()
  const bytes = hash.subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** An amount of one currency, without rounding. */
export interface ExactMoney {
  readonly amount: Decimal
  /** Three letters, in capitals. */
  readonly currencyCode: string
}

/** What an amount and a code of an answer say; undefined where that is no amount of money. */
export function exactMoneyOf(money: unknown): ExactMoney | undefined {
  const amount = decimalOf(field(money, 'amount'))
  const code = field(money, 'currencyCode')
  if (amount === undefined || amount.units < 0n || typeof code !== 'string') return undefined
  return { amount, currencyCode: code.toUpperCase() }
}

/**
 * What a payin shows as paid: the least of the amounts that it shows, where it shows several, so that nothing is given
 * back that one of them doesn't bear out. Undefined where it shows none, or several currencies (specification,
 * section 2, gaps: what GET /payins/{idPayin} shows).
 */
export function paidMoney(payin: object): ExactMoney | undefined {
  const places = [shownMoney(payin), field(field(payin, 'paymentMethodResponse'), 'money')].filter(
    (money) => money !== undefined && money !== null,
  )
  const shown = places.map(exactMoneyOf)
  return shown.reduce((least, one, n) => {
    if (n === 0) return one
    if (least === undefined || one?.currencyCode !== least.currencyCode) return undefined
    return isMore(least.amount, one.amount) ? one : least
  }, undefined)
}

/** How much of a payin was given back, and what is left. */
export interface RefundSums {
  readonly paid: ExactMoney
  readonly refunded: Decimal
  readonly left: Decimal
}

/** Adds up what refunds ask for; undefined where one of them shows no money, or another currency. */
export function sumsOf(paid: ExactMoney, refunds: readonly object[]): RefundSums | undefined {
  let refunded = nothing
  for (const refund of refunds) {
    const money = exactMoneyOf(shownMoney(refund))
    if (money === undefined || money.currencyCode !== paid.currencyCode) return undefined
    refunded = plus(refunded, money.amount)
  }
  return { paid, refunded, left: minus(paid.amount, refunded) }
}

/** Why a refund of this much may not be made; undefined when it may. */
export function whyNoRefund(money: Money, sums: RefundSums): RefundRefusal | undefined {
  const asked = exactMoneyOf(money)
  if (asked?.currencyCode !== sums.paid.currencyCode) return 'currency'
  return isMore(asked.amount, sums.left) ? 'above-paid' : undefined
}

export function moneyFrom({ amount, currencyCode }: ExactMoney): Money {
  return { amount: Number(textOf(amount)), currencyCode }
}

/** The error of a refund that is not made. Amounts and currencies are no customer's data. */
export function refusedRefund(
  reason: RefundRefusal,
  {
    idPayin,
    number,
    sums,
  }: { readonly idPayin: string; readonly number: number; readonly sums?: RefundSums },
): RefundRefusedError {
  const { paid, refunded, left } = sums ?? {}
  const code = paid?.currencyCode ?? ''
  const why: Record<RefundRefusal, string> = {
    'not-paid': 'the payin is not paid now, so look at its status; nothing is given back of it',
    unreadable:
      'the payin, or a refund of it, shows no amount of money that can be added up, so give the option paidMoneyOf, or look at them by hand',
    currency: `the payin was paid in ${code}, so give the money in ${code}`,
    'above-paid': `${textOf(paid?.amount ?? nothing)} ${code} were paid and ${textOf(refunded ?? nothing)} are given back already, so at most ${textOf(left ?? nothing)} ${code} can be refunded`,
    gap: 'the gateway shows no refund of the number before it, so make the one with the lowest free number (payins.refunds lists them)',
  }
  return new RefundRefusedError(
    `payins.refund: refund ${number} was not made, and no payout was sent: ${why[reason]}.`,
    { reason, number, idPayin, idPayout: refundId(idPayin, number), outcome: 'not-accepted' },
  )
}

/** Whether something can be a refund's number. */
export function isRefundNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= mostRefunds
}

/** Each one before is looked up, at ten requests a second. Nobody gives a payin back in more parts. */
export const mostRefunds = 100
