// @ts-check
// An order and all that can become of it. Nothing here waits, stores or sends: these functions decide, and whoever
// calls them stores what they return.
import { isFinal, isPaid, moneyFromMinorUnits, refundId, statusOf } from 'merchant-gateway'
import { currencyCode } from './checkout.mjs'

/**
 * @typedef {object} Checkout What a customer orders.
 * @property {number} quantity
 * @property {number} cents
 * @property {{ accountName: string, accountNumber: string }} account pays, and is the only one that a refund goes to
 * @property {string} methodCode
 * @property {string} operatorCode
 *
 * @typedef {object} Payment A payin, or a refund.
 * @property {string} id stored before the gateway hears of it, and the same at every try
 * @property {string | null} status null until the gateway has it
 * @property {boolean} isFinal
 * @property {'refused' | 'review' | null} problem nothing more is sent: it was refused, or a person has to look
 *
 * @typedef {Payment & { starts: number, state: unknown }} PayinOfOrder with what `paymentJob` wants kept
 * @typedef {Payment & { number: number, cents: number, askedAt: number }} Refund The first of an order is number 1.
 *
 * @typedef {import('merchant-gateway').Payin | import('merchant-gateway').Payout} Found
 *
 * @typedef {object} PayTo What the customer needs in order to pay.
 * @property {string | null | undefined} bank
 * @property {string | null | undefined} reference
 * @property {string | null | undefined} expireAt
 *
 * @typedef {Checkout & {
 *   id: string, payin: PayinOfOrder, payTo: PayTo | null, isShipped: boolean, refunds: Refund[],
 * }} Order `isShipped` changes with the status, in one write, so that nothing is shipped twice or forgotten
 */

/** The order's id is its payin's. @param {string} id @param {Checkout} checkout @returns {Order} */
export function newOrder(id, checkout) {
  const payin = { ...newPayment(id), starts: 0, state: undefined }
  return { ...checkout, id, payin, payTo: null, isShipped: false, refunds: [] }
}

/** @param {string} id @returns {Payment} */
function newPayment(id) {
  return { id, status: null, isFinal: false, problem: null }
}

/** Whether something is still to be created, or to be heard from the gateway. @param {Payment} payment */
export function isOpen({ isFinal, problem }) {
  return !isFinal && problem === null
}

/** What is not asked back yet, in cents. @param {Order} order */
export function leftOf({ cents, refunds }) {
  return refunds.reduce((left, refund) => left - refund.cents, cents)
}

/**
 * Each number is one refund: who asks for it again gets the one that there is. The next is taken when the gateway has
 * those before it, and is no more than what is left.
 *
 * @param {Order} order @param {{ number: number, cents: number, now: number }} asked
 * @returns {Order | undefined} undefined where it can't be
 */
export function withRefund(order, { number, cents, now }) {
  const { id, refunds } = order
  if (refunds.some((refund) => refund.number === number)) return order
  const isNext = number === refunds.length + 1 && refunds.every(({ status }) => status !== null)
  if (!isNext || cents < 1 || cents > leftOf(order)) return undefined
  return {
    ...order,
    refunds: [...refunds, { ...newPayment(refundId(id, number)), number, cents, askedAt: now }],
  }
}

/** @param {Order} order @returns {(PayinOfOrder | Refund)[]} */
export function paymentsOf({ payin, refunds }) {
  return [payin, ...refunds]
}

/**
 * The order with its payin, or one of its refunds, changed.
 *
 * @param {Order} order @param {string} id @param {(payment: Payment) => Partial<Payment>} change @returns {Order}
 */
export function withPayment(order, id, change) {
  /** @template {Payment} P @param {P} payment @returns {P} */
  const changed = (payment) => (payment.id === id ? { ...payment, ...change(payment) } : payment)
  return { ...order, payin: changed(order.payin), refunds: order.refunds.map(changed) }
}

/**
 * What the gateway shows. A lookup that was slow does not undo a later one, and a payment of another sum than the
 * order's, or of test money where real money is taken, is no success of this order.
 *
 * @param {Order} order @param {string} id @param {Found} found @returns {Order}
 */
export function seen(order, id, found) {
  const refund = order.refunds.find((one) => one.id === id)
  const isRight =
    isMoneyOf(found, refund?.cents ?? order.cents) && (statusOf(found) !== 'SUCCESS' || isPaid(found))
  const changed = withPayment(order, id, (before) => {
    if (before.isFinal && !isFinal(found)) return before
    const status = isRight ? (statusOf(found) ?? before.status ?? 'PENDING') : 'CHECKING'
    return { status, isFinal: isFinal(found) }
  })
  const { status, problem } = changed.payin
  return { ...changed, isShipped: order.isShipped || (status === 'SUCCESS' && problem === null) }
}

/**
 * Whether the gateway shows no other sum. A payin that is looked up may show none, since the specification promises no
 * field of it (section 2): it is the order's all the same, because it was created under this random id with this sum, and
 * no second create changes that. Of a payout the specification shows the sum.
 *
 * @param {Found} found @param {number} cents
 */
function isMoneyOf({ paymentRequested }, cents) {
  const { money } = paymentRequested ?? {}
  const own = moneyFromMinorUnits(cents, currencyCode)
  return money === undefined || (money.amount === own.amount && money.currencyCode === own.currencyCode)
}

/**
 * Whether the gateway shows that the customer's account paid, so that a refund to it goes back to where the money came
 * from. A number that it masks or doesn't show can't be compared.
 *
 * @param {Order} order @param {import('merchant-gateway').Payin} payin
 */
export function isAccountThatPaid({ account }, { paymentMethodResponse }) {
  /** @param {string} text */
  const plain = (text) => text.replace(/[\s-]/g, '').toUpperCase()
  const shown = plain(paymentMethodResponse?.account?.accountNumber ?? '')
  return shown !== '' && shown === plain(account.accountNumber)
}

/** A number for people to say on the telephone. @param {Order} order */
export function numberOf({ id }) {
  return `HT-${id.slice(0, 4)}-${id.slice(4, 8)}`.toUpperCase()
}

/** What a customer may see: no id of the gateway's, and the account's last digits only. @param {Order} order */
export function viewOf(order) {
  const { quantity, cents, account, payTo, payin, isShipped, refunds } = order
  return {
    number: numberOf(order),
    quantity,
    cents,
    accountEnd: account.accountNumber.slice(-4),
    payTo,
    // A callback may be faster than the response that says how to pay.
    status: payTo === null && isOpen(payin) ? 'PREPARING' : shownStatus(payin),
    shipments: isShipped ? 1 : 0,
    refunds: refunds.map((one) => ({ status: shownStatus(one), number: one.number, cents: one.cents })),
    left: leftOf(order),
  }
}

/** The gateway's own word where it has said one. @param {Payment} payment */
function shownStatus({ problem, status }) {
  if (problem !== null) return problem === 'refused' ? 'REFUSED' : 'CHECKING'
  return status ?? 'REQUESTED'
}
