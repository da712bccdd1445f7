// @ts-check
// An order and all that can become of it. Nothing here waits, stores or sends: these functions decide, and whoever
// calls them stores what they return.
import { refundId } from 'merchant-gateway'
import { decimal, parseCents } from './public/amount.mjs'

/**
 * @typedef {{ amount: string, currencyCode: string }} Money
 * @typedef {{ accountName: string, accountNumber: string }} Account
 * @typedef {{ name: string, quantity: number, amount: string }} Line `amount` is the price of all of them
 * @typedef {{ bank?: string, reference?: string, expireAt?: string }} PayTo What the customer needs in order to pay.
 *
 * @typedef {object} Checkout What a customer orders.
 * @property {Line[]} lines
 * @property {Money} total
 * @property {Account} account the one that pays, and the only one that a refund goes to
 * @property {string} methodCode
 * @property {string} operatorCode
 *
 * @typedef {object} Payment A payin or a payout.
 * @property {string} id made once, stored before the gateway hears of it, and the same at every try
 * @property {'to-create' | 'created' | 'refused' | 'stuck'} state `stuck` wants a person
 * @property {boolean} maybeSent whether a try may have reached the gateway
 * @property {string | null} status what the gateway said last
 * @property {boolean} isFinal
 *
 * @typedef {Payment & { number: number, amount: string }} Refund The first of an order is number 1.
 *
 * @typedef {Checkout & {
 *   key: string, number: string, placedAt: string, payTo: PayTo | null, payin: Payment, refunds: Refund[],
 * }} Order
 *
 * @typedef {'payin' | number} Which The payin, or the refund of this number.
 */

/**
 * @param {Checkout} checkout
 * @param {{ key: string, number: string, idPayin: string, now: number }} details
 * @returns {Order}
 */
export function newOrder(checkout, { key, number, idPayin, now }) {
  const placedAt = new Date(now).toISOString()
  return { ...checkout, key, number, placedAt, payTo: null, payin: newPayment(idPayin), refunds: [] }
}

/** @param {string} id @returns {Payment} */
function newPayment(id) {
  return { id, state: 'to-create', maybeSent: false, status: null, isFinal: false }
}

/** What is not asked back yet, in cents. @param {Order} order */
export function leftOf({ total, refunds }) {
  return refunds.reduce((left, { amount }) => left - (parseCents(amount) ?? 0), parseCents(total.amount) ?? 0)
}

/**
 * Each number is one refund: who asks for it again gets the one that there is. The next is taken when the gateway has
 * those before it, and is no more than what is left.
 *
 * @param {Order} order @param {number} number @param {number} cents
 * @returns {Order | undefined} undefined where it can't be
 */
export function withRefund(order, number, cents) {
  const { payin, refunds } = order
  if (number <= refunds.length) return order
  const isNext = number === refunds.length + 1 && refunds.every(({ state }) => state === 'created')
  if (!isNext || cents < 1 || cents > leftOf(order)) return undefined
  const refund = { ...newPayment(refundId(payin.id, number)), number, amount: decimal(cents) }
  return { ...order, refunds: [...refunds, refund] }
}

/** @param {Order} order @param {Which} which @param {(payment: Payment) => Payment} change @returns {Order} */
export function withPayment(order, which, change) {
  if (which === 'payin') return { ...order, payin: change(order.payin) }
  const refunds = order.refunds.map((one) => (one.number === which ? { ...one, ...change(one) } : one))
  return { ...order, refunds }
}

/** What the gateway has to be asked for next, if anything. @param {Order} order @returns {Which | undefined} */
export function toCreate({ payin, refunds }) {
  if (payin.state === 'to-create') return 'payin'
  return refunds.find(({ state }) => state === 'to-create')?.number
}

/** Whether something is still to be created, or to be heard from the gateway. @param {Order} order */
export function isOpen({ payin, refunds }) {
  return [payin, ...refunds].some(isUnderWay)
}

/** @param {Payment} payment */
export function isUnderWay({ state, isFinal }) {
  return state === 'to-create' || (state === 'created' && !isFinal)
}

/** Before each try: if the process dies now, the next one knows. @param {Payment} payment @returns {Payment} */
export function trying(payment) {
  return { ...payment, maybeSent: true }
}

/** @param {Payment} payment @returns {Payment} */
export function created(payment) {
  return { ...payment, state: 'created' }
}

/** Whatever it is, no try has to follow, and a person has to look. @param {Payment} payment @returns {Payment} */
export function stuck(payment) {
  return { ...payment, state: 'stuck' }
}

/**
 * After a create that failed. Only a refusal of something that no earlier try can have sent is the end of it;
 * everything else is tried again, with the same id.
 *
 * @param {Payment} payment as it was before this try
 * @param {{ code: string, outcome?: string | undefined }} error
 * @returns {Payment}
 */
export function failed(payment, { code, outcome }) {
  if (code === 'idempotency_conflict' || code === 'refund_refused') return stuck(payment)
  if (outcome === 'unknown' || outcome === 'accepted') return trying(payment)
  if (code !== 'invalid_request' && code !== 'invalid_input') return payment
  return payment.maybeSent ? stuck(payment) : { ...payment, state: 'refused' }
}

/**
 * What the gateway shows. A look-up that was slow, perhaps of another process, does not undo a later one.
 *
 * @param {Payment} payment
 * @param {{ status: string | undefined, isFinal: boolean }} found
 * @returns {Payment}
 */
export function seen(payment, { status, isFinal }) {
  if (payment.isFinal && !isFinal) return payment
  return { ...payment, status: status ?? payment.status, isFinal }
}

/**
 * Whether the gateway knows this payin with the account that the customer gave, so that a refund to it goes back to
 * where the money came from. An account that the gateway masks or doesn't show can't be compared: a person has to.
 *
 * @param {Account} account
 * @param {{ accountNumber?: string | null } | null | undefined} shown
 * @returns {'same' | 'another' | 'not shown'}
 */
export function accountThatPaid({ accountNumber }, shown) {
  const other = shown?.accountNumber ?? ''
  if (other === '' || /[*•.…#]|x{3}/i.test(other)) return 'not shown'
  return plain(other) === plain(accountNumber) ? 'same' : 'another'
}

/** @param {string} text */
const plain = (text) => text.replace(/[\s-]/g, '').toUpperCase()
