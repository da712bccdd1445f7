import type { Ledger } from '../gateway/ledger.js'
import type { Payment } from '../payments/payment.js'
import type { Listing, Row } from './messages.js'

/** Which part of the list is wanted. */
export interface ListingQuery {
  readonly search: string
  readonly offset: number
  readonly limit: number
  /** `kind/id` of the payment that was at `offset` and has to stay there, whatever came in front of it. */
  readonly keep: string
}

const haystacks = new WeakMap<Payment, string>()

/** A window of all payments, newest first. */
export function listing(ledger: Ledger, { search, offset: asked, limit, keep }: ListingQuery): Listing {
  const all = newestFirst(ledger.payins.list(), ledger.payouts.list())
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = words.length === 0 ? all : all.filter((payment) => fits(payment, words))
  const kept = keep === '' ? -1 : found.findIndex((payment) => keyOf(payment) === keep)
  const offset = kept < 0 ? asked : kept
  return {
    held: all.length,
    total: found.length,
    offset,
    rows: found.slice(offset, offset + limit).map(row),
  }
}

export function row(payment: Payment): Row {
  const { kind, id, status, money, paymentMethodCode: method } = payment
  const { amount, currencyCode } = money
  return { kind, id, status, amount, currencyCode, method, createdAt: Date.parse(payment.createdAt) }
}

function keyOf({ kind, id }: Payment): string {
  return `${kind}/${id}`
}

/** Both lists are in the order of their creation, so a merge from their ends is enough. */
function newestFirst(payins: readonly Payment[], payouts: readonly Payment[]): Payment[] {
  const merged: Payment[] = []
  let i = payins.length - 1
  let j = payouts.length - 1
  while (i >= 0 || j >= 0) {
    const payin = payins[i]
    const payout = payouts[j]
    if (payout === undefined || (payin !== undefined && payin.createdAt > payout.createdAt)) {
      if (payin !== undefined) merged.push(payin)
      i -= 1
    } else {
      merged.push(payout)
      j -= 1
    }
  }
  return merged
}

function fits(payment: Payment, words: readonly string[]): boolean {
  const text = `${haystack(payment)} ${payment.status.toLowerCase()}`
  return words.every((word) => text.includes(word))
}

/** What never changes of a payment, once put together for as long as it lives. */
function haystack(payment: Payment): string {
  const known = haystacks.get(payment)
  if (known !== undefined) return known
  const { kind, id, money, paymentMethodCode, reference, request } = payment
  const { account, emailAddress, paymentOperatorCode } = request
  const { accountName, accountNumber } = account ?? {}
  const parts = [kind, id, money.amount, money.currencyCode, paymentMethodCode, paymentOperatorCode]
  const text = [...parts, reference, accountName, accountNumber, emailAddress].join(' ').toLowerCase()
  haystacks.set(payment, text)
  return text
}
