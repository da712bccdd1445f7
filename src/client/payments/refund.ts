import { type AnyGatewayError, isGatewayError, type RefundRefusal } from '../errors.js'
import {
  type Decimal,
  decimalOf,
  type ExactMoney,
  isMore,
  minus,
  moneyTextOf,
  nothing,
  plus,
  textOf,
} from '../input/decimal.js'
import { field } from '../input/values.js'
import type { Money } from '../schemas/money.js'
import type { Payin } from '../schemas/payins.js'
import type { Payout } from '../schemas/payouts.js'
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

/**
 * What a payin shows as paid: the least of the amounts that it shows, where it shows several, so that nothing is given
 * back that one of them doesn't bear out. Undefined where it shows none, or several currencies (specification,
 * section 2, gaps: what GET /payins/{idPayin} shows).
 */
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

interface Counting {
  readonly isFailed?: ((refund: Payout) => boolean) | undefined
  readonly paidMoneyOf?: ((payin: Payin) => Money | undefined) | undefined
}

export interface RefundLookUps {
  payin(id: string): Promise<Payin>
  payout(id: string): Promise<Payout>
  isPaid(payin: Payin): boolean
}

export interface Refused {
  readonly reason: RefundRefusal
  readonly sums?: RefundSums
}

export async function whyRefused(
  lookups: RefundLookUps,
  { idPayin, number, money }: { readonly idPayin: string; readonly number: number; readonly money: Money },
  counting: Counting,
): Promise<Refused | undefined> {
  const payin = await lookups.payin(idPayin)
  if (!lookups.isPaid(payin)) return { reason: 'not-paid' }
  const earlier: Payout[] = []
  while (earlier.length < number - 1) {
    const refund = await find(lookups, refundId(idPayin, earlier.length + 1))
    if (refund === undefined) return { reason: 'gap' }
    earlier.push(refund)
  }
  const sums = count(payin, earlier, counting)
  if (sums === undefined) return { reason: 'unreadable' }
  const reason = whyNoRefund(money, sums)
  return reason && { reason, sums }
}

export async function refundsOf(lookups: RefundLookUps, idPayin: string, counting: Counting) {
  const payin = await lookups.payin(idPayin)
  const refunds: (Payout & { readonly idPayout: string; readonly number: number })[] = []
  for (let number = 1; number <= mostRefunds; number++) {
    const idPayout = refundId(idPayin, number)
    const refund = await find(lookups, idPayout)
    if (refund === undefined) break
    refunds.push(Object.assign(refund, { idPayout, number }))
  }
  const sums = count(payin, refunds, counting)
  if (sums === undefined) return { refunds, sums }
  const moneyFrom = (amount: Decimal): Money => ({
    amount: Number(textOf(amount)),
    currencyCode: sums.paid.currencyCode,
  })
  const { paid, refunded, left } = sums
  return {
    refunds,
    sums: { paid: moneyFrom(paid.amount), refunded: moneyFrom(refunded), left: moneyFrom(left) },
  }
}

function count(payin: Payin, refunds: readonly Payout[], counting: Counting): RefundSums | undefined {
  const { isFailed, paidMoneyOf } = counting
  const paid = paidMoneyOf === undefined ? paidMoney(payin) : exactMoneyOf(paidMoneyOf(payin))
  if (paid === undefined) return undefined
  // Nothing but a true: what returned a promise has not said that a refund failed.
  const counted = isFailed === undefined ? refunds : refunds.filter((refund) => isFailed(refund) !== true)
  return sumsOf(paid, counted)
}

/** A 404 proves nothing, and here it need not: without the refund before it, the next one is not made. */
async function find(lookups: RefundLookUps, idPayout: string): Promise<Payout | undefined> {
  try {
    return await lookups.payout(idPayout)
  } catch (error) {
    const code: AnyGatewayError['code'] | undefined = isGatewayError(error) ? error.code : undefined
    if (code === 'not_found') return undefined
    throw error
  }
}

export function inWords(
  { paid, refunded, left }: RefundSums,
  decimalsOf: (code: string) => number | undefined,
) {
  const code = paid.currencyCode
  const text = (sum: Decimal) => moneyTextOf(sum, decimalsOf(code))
  return { code, paid: text(paid.amount), refunded: text(refunded), left: text(left) }
}
