import type { SandboxParts } from '../../../gateway/assemble.js'
import type { CallbackSender } from '../../../gateway/callbacks/sender.js'
import type { Payment, PaymentKind } from '../../../gateway/payments/payment.js'
import type { PaymentQuery } from '../bodies.js'
import { amountText } from '../text.js'

export type Kind = PaymentKind
/** A payment in the list. Times are milliseconds since 1970, by the sandbox's clock. */
export type Row = ReturnType<typeof rowOf>

export interface ListWindow<Row> {
  readonly held: number
  readonly total: number
  readonly offset: number
  readonly rows: readonly Row[]
}

export const callbackWords = { failed: 'callback failed', retrying: 'callback fails' } as const

export function listing({ ledger, callbacks }: SandboxParts, query: PaymentQuery): ListWindow<Row> {
  const all = [...ledger.payins.list(), ...ledger.payouts.list()].sort((a, b) => a.number - b.number)
  const found = all.filter((payment) => {
    const text = searchedText(payment, callbacks)
    return query.search.every((word) => text.includes(word))
  })
  return windowOf(all, found, query, (payment) => rowOf(payment, callbacks))
}

/** @param all oldest first, and so is `found` */
export function windowOf<T, Row>(
  all: readonly T[],
  found: readonly T[],
  { offset, limit }: Pick<PaymentQuery, 'offset' | 'limit'>,
  rowOf: (one: T) => Row,
): ListWindow<Row> {
  const end = Math.max(0, found.length - offset)
  const shown = found.slice(Math.max(0, end - limit), end).reverse()
  return { held: all.length, total: found.length, offset, rows: shown.map(rowOf) }
}

export function rowOf(payment: Payment, callbacks: CallbackSender) {
  const { kind, id, status, money, paymentMethodCode: method, createdAtMs: createdAt } = payment
  return {
    kind,
    id,
    status,
    amount: money.amount,
    currencyCode: money.currencyCode,
    method,
    createdAt,
    /** Whether the merchant was notified of the status by a callback. */
    callbacks: callbacks.healthOf(payment),
    isNoted: payment.notes.length > 0,
  }
}

const texts = new WeakMap<Payment, string>()

function searchedText(payment: Payment, callbacks: CallbackSender): string {
  const fixed = texts.get(payment) ?? fixedText(payment)
  texts.set(payment, fixed)
  const health = callbacks.healthOf(payment)
  const words = health === 'failed' || health === 'retrying' ? callbackWords[health] : ''
  return `${fixed} ${payment.status} ${words}`.toLowerCase()
}

function fixedText({ kind, id, money, paymentMethodCode, reference, request }: Payment): string {
  const { account, emailAddress, paymentOperatorCode } = request
  const { amount, currencyCode } = money
  // The amount as the page writes it, and as it travels: 4,001.00 and 4001.
  const amounts = [amountText(amount, currencyCode), amount, currencyCode]
  const customer = [account?.accountName, account?.accountNumber, emailAddress]
  return [kind, id, ...amounts, paymentMethodCode, paymentOperatorCode, reference, ...customer].join(' ')
}
