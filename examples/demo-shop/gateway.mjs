// @ts-check
// An order in the gateway's terms. The same order asks for the same every time, so that a repetition is one.
import { isFinal, money, statusOf } from 'merchant-gateway'

/**
 * @typedef {import('./order.mjs').Order} Order
 * @typedef {import('merchant-gateway').Payin} Payin
 * @typedef {import('merchant-gateway').Payout} Payout
 */

/** @param {Order} order @returns {import('merchant-gateway').PayinCreateInput} */
export function payinRequest({ payin, total, methodCode, operatorCode, account }) {
  return {
    idPayin: payin.id,
    paymentRequested: { money: money(total.amount, total.currencyCode) },
    paymentMethod: { paymentMethodCode: methodCode, paymentOperatorCode: operatorCode, account },
  }
}

/**
 * All of the money or a part, to the account that paid: the payin was created with it, and whoever asks for the refund
 * has no say in it. Where your gateway shows customer account data of the payment process (specification, section 1,
 * step 6), that is the account to take; its fields are not in the specification.
 *
 * @param {Order} order @param {import('./order.mjs').Refund} refund
 * @returns {import('merchant-gateway').RefundInput}
 */
export function refundRequest({ payin, total, operatorCode, account }, { number, amount }) {
  const parts = { money: money(amount, total.currencyCode), account, paymentOperatorCode: operatorCode }
  return { idPayin: payin.id, number, ...parts }
}

/**
 * What the answer to a create tells the customer. One that finds the payin of an earlier try may show less.
 *
 * @param {Pick<Payin, 'paymentMethodResponse'>} payin
 * @returns {import('./order.mjs').PayTo}
 */
export function payToOf({ paymentMethodResponse }) {
  const { account, reference, expireAt } = paymentMethodResponse ?? {}
  const bank = account?.bankName ?? account?.bankCode
  return { ...(bank && { bank }), ...(reference && { reference }), ...(expireAt && { expireAt }) }
}

/**
 * What a look-up shows. A payment of another sum than the order's is no success of this order: a person looks into it.
 *
 * @param {Payin | Payout} payment
 * @param {Order['total']} total
 */
export function foundOf(payment, total) {
  const shown = payment.paymentRequested?.money
  const isOther =
    shown !== undefined &&
    (Number(shown.amount) !== Number(total.amount) || shown.currencyCode !== total.currencyCode)
  return { status: isOther ? 'CHECKING' : statusOf(payment), isFinal: isFinal(payment) }
}
