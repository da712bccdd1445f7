// @ts-check
// An order and what becomes of it. These functions decide, and whoever calls them stores what they return.
import { isFinal, isPaid, moneyFromMinorUnits, statusOf } from 'merchant-gateway'

/** Prices are the shop's, in cents. The tea garden gets its share of each packet when the order is paid. */
export const product = { name: 'Sencha', about: 'green tea, 100 g', cents: 980, gardenCents: 600 }
export const currencyCode = 'EUR'
export const mostPackets = 20

/**
 * @typedef {object} Payment
 * @property {'payin' | 'payout'} kind the customer's, or the tea garden's
 * @property {string} id stored before the gateway hears of it, and the same at every try
 * @property {number} cents
 * @property {string | null} status null until the gateway has it; CHECKING where a person has to look
 * @property {boolean} isFinal nothing more is to be sent, or to be heard from the gateway
 * @property {number} starts how often its job was started
 * @property {unknown} state what its job keeps
 *
 * @typedef {object} Order
 * @property {string} id made by the browser, so that a second click is no second order
 * @property {number} quantity
 * @property {{ reference?: string | null | undefined, expireAt?: string | null | undefined } | null} payTo
 * @property {number} shipments changes in one write with the status, so that nothing is shipped twice or forgotten
 * @property {Payment[]} payments the payin, and once it is paid the payout
 *
 * @typedef {import('merchant-gateway').Payin | import('merchant-gateway').Payout} Found
 */

/** @param {Payment['kind']} kind @param {string} id @param {number} cents @returns {Payment} */
export function newPayment(kind, id, cents) {
  return { kind, id, cents, status: null, isFinal: false, starts: 0, state: undefined }
}

/** The payin's id is the order's. @param {string} id @param {number} quantity @returns {Order} */
export function newOrder(id, quantity) {
  const payments = [newPayment('payin', id, quantity * product.cents)]
  return { id, quantity, payTo: null, shipments: 0, payments }
}

/** @param {Order} order @param {string} id @param {(payment: Payment) => Partial<Payment>} change @returns {Order} */
export function withPayment(order, id, change) {
  const payments = order.payments.map((one) => (one.id === id ? { ...one, ...change(one) } : one))
  return { ...order, payments }
}

/**
 * The order after the gateway has shown one of its payments. A status request that was slow does not undo a later one.
 * A payment of another sum than the order's, or of test money where real money is taken, is no success of this order.
 *
 * @param {Order} order @param {string} id @param {Found} found @returns {Order}
 */
export function seen(order, id, found) {
  const changed = withPayment(order, id, (before) => {
    if (before.isFinal && !isFinal(found)) return {}
    const own = moneyFromMinorUnits(before.cents, currencyCode)
    const { amount, currencyCode: currency } = found.paymentRequested?.money ?? own // it may show none
    const isSum = amount === own.amount && currency === own.currencyCode
    const isRight = isSum && (statusOf(found) !== 'SUCCESS' || isPaid(found))
    const status = isRight ? (statusOf(found) ?? before.status ?? 'PENDING') : 'CHECKING'
    return { status, isFinal: isFinal(found) }
  })
  const [payin] = changed.payments
  if (changed.shipments > 0 || payin?.status !== 'SUCCESS') return changed
  const share = newPayment('payout', `${order.id}-garden`, order.quantity * product.gardenCents)
  return { ...changed, shipments: 1, payments: [payin, share] }
}

/** What a customer may see: the payments by status and sum, without their ids. @param {Order} order */
export function viewOf({ quantity, payTo, shipments, payments }) {
  const [payin, ...payouts] = payments.map(({ status, cents }) => ({ status: status ?? 'PREPARING', cents }))
  // A callback may be faster than the response that says how to pay.
  const isEarly = payTo === null && payin?.status === 'PENDING'
  const status = isEarly ? 'PREPARING' : payin?.status
  return { status, cents: quantity * product.cents, quantity, payTo, shipments, payouts }
}
