import type { CallbackSender } from '../../../gateway/callbacks/sender.js'
import type { Payment } from '../../../gateway/payments/payment.js'
import type { ListWindow, Row } from '../messages/payments.js'
import type { Numbers } from '../parts/numbers.js'
import type { PageParts } from '../parts/parts.js'
import type { PaymentQuery } from '../requests/request-query.js'
import { amountText } from '../text/amount-text.js'

const haystacks = new WeakMap<Payment, string>()

/** A window of all payments, newest first. */
export function listing(
  { ledger, callbacks }: PageParts,
  numbers: Numbers<Payment>,
  { search, upTo, offset, limit }: PaymentQuery,
): ListWindow<Row> {
  const all = newestFirst(ledger.payins.list(), ledger.payouts.list())
  for (const payment of all.toReversed()) numbers.of(payment)
  const found = all.filter((payment) => fits(payment, search))
  const old = found.filter((payment) => numbers.of(payment) <= upTo)
  return {
    held: all.length,
    total: old.length,
    newer: found.length - old.length,
    newest: numbers.last,
    offset,
    rows: old.slice(offset, offset + limit).map((payment) => row(payment, callbacks)),
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
