import {
  type Decimal,
  decimalOf,
  type ExactMoney,
  minus,
  nothing,
  shortTextOf,
} from '../../../../src/client/input/decimal.js'
import { type PaymentKind, UnusableResponseError } from '../../../../src/index.js'
import type { BalanceCounts, BooksEntry, BooksMoney } from './types.js'

/** What a look-up shows of a payment, without anything of the customer. */
export interface Seen {
  readonly kind: PaymentKind
  readonly id: string
  readonly status?: string
  readonly final: boolean
  readonly paid: boolean
  readonly since: string
  /** What it asks for, and its fee, both positive. */
  readonly money?: ExactMoney
  readonly fee?: ExactMoney
  /** Whether your own system has it as succeeded, now or before. */
  readonly wasPaid: boolean
}

/**
 * What a payment is in the balance now.
 *
 * @param before what the books had of it: a fee that is kept stays.
 * @throws {UnusableResponseError} where it is in the balance, and nobody knows with how much.
 */
export function entryOf(seen: Seen, before: BooksEntry | undefined, counts: BalanceCounts): BooksEntry {
  const { kind, id, status, final, since, paid, money, fee } = seen
  const { pendingPayins = false, pendingPayouts = false, fees = 'with-payment' } = counts
  const isPending = !paid && !final && status !== undefined
  const isIn = paid || (isPending && (kind === 'payin' ? pendingPayins : pendingPayouts))
  // A pending payout that counts has counted, whatever has become of it.
  const wasIn = isIn || seen.wasPaid || (kind === 'payout' && pendingPayouts && status !== undefined)
  const takesFee = fees === 'with-payment' ? isIn : fees === 'kept' && wasIn
  const kept = fees === 'kept' ? before?.fee : undefined
  const taken = kept ?? (takesFee && fee !== undefined ? signed(fee, -1) : undefined)
  if (isIn && money === undefined) throw withoutMoney(kind, id)
  return {
    kind,
    id,
    ...(status === undefined ? {} : { status }),
    final,
    since,
    ...(isIn && money !== undefined ? { payment: signed(money, kind === 'payin' ? 1 : -1) } : {}),
    ...(taken === undefined ? {} : { fee: taken }),
  }
}

function signed({ amount, currencyCode }: ExactMoney, sign: 1 | -1): BooksMoney {
  return { amount: shortTextOf(sign === 1 ? amount : minus(nothing, amount)), currencyCode }
}

/** A decimal text of the books; they were checked when they were read. */
export function exact(amount: string | undefined): Decimal {
  return decimalOf(amount ?? '0') ?? nothing
}

function withoutMoney(kind: PaymentKind, id: string): UnusableResponseError {
  const more = kind === 'payin' ? ', or by the option paidMoneyOf' : ''
  return new UnusableResponseError(
    `closeBooks: the gateway shows no amount of a ${kind} that its balance may count; no payment was touched and the books are as they were, so give the amount with the ${kind}, as money${more}.`,
    { issues: ['paymentRequested.money: no amount found'], [kind === 'payin' ? 'idPayin' : 'idPayout']: id },
  )
}
