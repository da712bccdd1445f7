import type { PaymentLike } from '../payment-like.js'

/** Of payments that a client has looked up: the id by which it asked. A response stays as it came. */
const ids = new WeakMap<object, string>()

export function rememberId(payment: object, id: string): void {
  ids.set(payment, id)
}

/**
 * Your id of a payment that a client has looked up (`retrieve`, `waitFor`, `watch`, a callback): the one by which it
 * was asked for, since the specification promises none in the response (section 2, gaps). Undefined for an object that
 * no client has looked up, such as a copy.
 *
 * @example
 * const payin = await client.payins.waitFor(order.idPayin, { maxWaitMs: 60_000 })
 * await orders.markPaid(idOf(payin))
 */
export function idOf(payment: PaymentLike): string | undefined {
  return ids.get(payment)
}
