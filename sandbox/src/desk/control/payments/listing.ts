import type { CallbackSender } from '../../../gateway/callbacks/sender.js'
import type { Payment } from '../../../gateway/payments/payment.js'
import type { Listing, Row } from '../messages/payments.js'
import type { PageParts } from '../parts/parts.js'
import { amountText } from '../text/amount-text.js'

/** Which part of the list is wanted. */
export interface ListingQuery {
  readonly search: string
  readonly offset: number
  readonly limit: number
  /**
   * Rows of which the first that is still there has to stay where it is, whatever came in front of it: each
   * with its place before.
   */
  readonly keep: readonly (readonly [place: number, key: string])[]
}

const haystacks = new WeakMap<Payment, string>()

/** A window of all payments, newest first. */
export function listing(parts: PageParts, query: ListingQuery): Listing {
  const { search, offset: asked, limit, keep } = query
  const { ledger, callbacks } = parts
  const all = newestFirst(ledger.payins.list(), ledger.payouts.list())
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = all.filter((payment) => fits(payment, words))
  const shift = shiftOf(found, keep)
  const offset = Math.max(0, asked + shift)
  return {
    held: all.length,
    total: found.length,
    offset,
    shift,
    rows: found.slice(offset, offset + limit).map((payment) => row(payment, callbacks)),
  }
}

export function row(payment: Payment, callbacks: CallbackSender): Row {
  const { kind, id, status, money, paymentMethodCode: method, createdAtMs: createdAt } = payment
  const { amount, currencyCode } = money
  return {
    kind,
    id,
    status,
    amount,
    currencyCode,
    method,
    createdAt,
    callbacks: callbacks.healthOf(payment),
    isNoted: payment.notes.length > 0,
  }
}

function keyOf({ kind, id }: Payment): string {
  return `${kind}/${id}`
}

/** By how many rows the first of the kept rows that is still there has moved. */
function shiftOf(payments: readonly Payment[], keep: ListingQuery['keep']): number {
  const wanted = new Map(keep.map(([place, key]) => [key, place]))
  const moved = new Map<string, number>()
  for (const [index, payment] of payments.entries()) {
    const key = keyOf(payment)
    const place = wanted.get(key)
    if (place !== undefined) moved.set(key, index - place)
  }
  const first = keep.find(([, key]) => moved.has(key))
  return first === undefined ? 0 : (moved.get(first[1]) ?? 0)
}

/** Both lists are in the order of their creation, so a merge from their ends is enough. */
function newestFirst(payins: readonly Payment[], payouts: readonly Payment[]): Payment[] {
  const merged: Payment[] = []
  let i = payins.length - 1
  let j = payouts.length - 1
  while (i >= 0 || j >= 0) {
    const payin = payins[i]
    const payout = payouts[j]
    if (payout === undefined || (payin !== undefined && payin.createdAtMs > payout.createdAtMs)) {
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
  const { amount, currencyCode } = money
  // The amount as the page writes it, and as it travels: 4,001.00 and 4001.
  const amounts = [amountText(amount, currencyCode), amount]
  const parts = [kind, id, ...amounts, currencyCode, paymentMethodCode, paymentOperatorCode]
  const text = [...parts, reference, accountName, accountNumber, emailAddress].join(' ').toLowerCase()
  haystacks.set(payment, text)
  return text
}
