import type { RefundRefusal } from '../errors.js'
import { type Decimal, decimalOf, type ExactMoney, isMore, minus, nothing, plus } from '../input/decimal.js'
import { field } from '../input/values.js'
import type { Money } from '../schemas/money.js'
import { shownMoney } from './identify.js'

/** The namespace of the ids of refunds (RFC 9562, section 5.5). It never changes: an id is the lock of its refund. */
const namespace = '7d6c1f0a-8f2b-4f6e-9a35-3c1f4f0f6b52'

/**
 * The id of the payout that is this refund of a payin: the same in every process and every version, so that the
 * gateway accepts each number once (specification, section 4). A UUID of version 5, of the payin's id and the number.
 * Spellings of the payin's id that a gateway may take for one (other case, other blanks, another Unicode form) have
 * one refund of each number.
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
    .update(`refund ${number} of ${folded(idPayin)}`)
    .digest()
  const bytes = hash.subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Small, capital, small again: only so do `ß` and its capital, or the two small forms of `s`, become the same letters. */
function folded(id: string): string {
  return id
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Each one before is looked up, at ten requests a second. Nobody gives a payin back in more parts. */
export const mostRefunds = 100

export function exactMoneyOf(money: unknown): ExactMoney | undefined {
  const amount = decimalOf(field(money, 'amount'))
  const code = field(money, 'currencyCode')
  if (amount === undefined || amount.units < 0n || typeof code !== 'string') return undefined
  return { amount, currencyCode: code.toUpperCase() }
}

/** The least of the amounts that it shows. Undefined where it shows none, or several currencies (specification, section 2, gaps). */
export function paidMoney(payin: object): ExactMoney | undefined {
  const places = [shownMoney(payin), field(payin, 'paymentMethodResponse.money')].filter(
    (money) => money !== undefined && money !== null,
  )
  const shown = places.map(exactMoneyOf)
  return shown.reduce((least, one, n) => {
    if (n === 0) return one
    if (least === undefined || one?.currencyCode !== least.currencyCode) return undefined
    return isMore(least.amount, one.amount) ? one : least
  }, undefined)
}

export interface RefundSums {
  readonly paid: ExactMoney
  readonly refunded: Decimal
  readonly left: Decimal
}

export function sumsOf(paid: ExactMoney, refunds: readonly object[]): RefundSums | undefined {
  let refunded = nothing
  for (const refund of refunds) {
    const money = exactMoneyOf(shownMoney(refund))
    if (money === undefined || money.currencyCode !== paid.currencyCode) return undefined
    refunded = plus(refunded, money.amount)
  }
  return { paid, refunded, left: minus(paid.amount, refunded) }
}

export function whyNoRefund(money: Money, sums: RefundSums): RefundRefusal | undefined {
  const requested = exactMoneyOf(money)
  if (requested?.currencyCode !== sums.paid.currencyCode) return 'currency'
  return isMore(requested.amount, sums.left) ? 'above-paid' : undefined
}
