import type { CallbackHealth } from '../../../gateway/callbacks/health.js'
import type { CallbackSender } from '../../../gateway/callbacks/sender.js'
import type { Payment, PaymentKind } from '../../../gateway/payments/payment.js'
import type { PageParts } from '../parts.js'
import type { PaymentQuery } from '../requests/request-query.js'
import { amountText } from '../text/amount-text.js'

export type Kind = PaymentKind
/** A payment in the list. Times are milliseconds since 1970, by the sandbox's clock. */
export type Row = ReturnType<typeof row>

/** A window of a list, newest first. */
export interface ListWindow<Row> {
  /** How many the sandbox holds. */
  readonly held: number
  /** How many fit, of those that are not newer than what was asked for. */
  readonly total: number
  /** How many fit and are newer than what was asked for. */
  readonly newer: number
  /** The number of the newest of all, to ask with the next time. */
  readonly newest: number
  /** Where the rows begin. */
  readonly offset: number
  readonly rows: readonly Row[]
}

const haystacks = new WeakMap<Payment, string>()

/** A window of all payments, newest first. */
export function listing(
  { ledger, callbacks }: PageParts,
  { search, upTo, offset, limit }: PaymentQuery,
): ListWindow<Row> {
  const all = [...ledger.payins.list(), ...ledger.payouts.list()].sort((a, b) => b.number - a.number)
  const found = all.filter((payment) => fits(payment, callbacks, search))
  const old = found.filter(({ number }) => number <= upTo)
  return {
    held: all.length,
    total: old.length,
    newer: found.length - old.length,
    newest: all[0]?.number ?? 0,
    offset,
    rows: old.slice(offset, offset + limit).map((payment) => row(payment, callbacks)),
  }
}

export function row(payment: Payment, callbacks: CallbackSender) {
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
    /** Whether the merchant has heard of the status by a callback. */
    callbacks: callbacks.healthOf(payment),
    /** Whether there is something in it that a gateway may not have accepted. */
    isNoted: payment.notes.length > 0,
  }
}

/** What the list says of callbacks that fail. */
export const callbackWords: Readonly<Partial<Record<CallbackHealth, string>>> = {
  failed: 'not told',
  retrying: 'callback fails',
}

function fits(payment: Payment, callbacks: CallbackSender, words: readonly string[]): boolean {
  const told = callbackWords[callbacks.healthOf(payment)] ?? ''
  const text = `${haystack(payment)} ${payment.status.toLowerCase()} ${told}`
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
