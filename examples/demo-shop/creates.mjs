// @ts-check
// One try to create what an order wants next: its payin, or its refund. Everything is noted before it is tried.
import { isGatewayError, isPaid, money } from 'merchant-gateway'
import { payinRequest, payToOf, refundRequest } from './gateway.mjs'
import { accountThatPaid, created, failed, stuck, toCreate, trying, withPayment } from './order.mjs'

/**
 * @typedef {import('./order.mjs').Order} Order
 * @typedef {import('./order.mjs').Payment} Payment
 * @typedef {import('./order.mjs').Which} Which
 * @typedef {object} CreateParts
 * @property {import('merchant-gateway').GatewayClient} client
 * @property {import('./storage/storage.mjs').Storage} storage
 * @property {(error: unknown) => void} report
 * @property {AbortSignal} signal
 */

const byHand = 'look at its payin, and refund it by hand if that is right.'
const notPaid = `is not paid any more, so its refund waits: ${byHand}`
const reasons = {
  another: `was paid by another account than the customer gave, so its refund waits: ${byHand}`,
  'not shown': `has a refund that waits, because the gateway doesn't show which account paid: compare the name and the account that your bank shows, and ${byHand}`,
  same: byHand,
}

/** @param {CreateParts} parts */
export function makeCreate({ client, storage, report, signal }) {
  /** @param {Order} order @param {Which} which @param {(payment: Payment) => Payment} change @param {Partial<Order>} [also] */
  const store = ({ key }, which, change, also = {}) =>
    storage.change(key, (order) => ({ ...withPayment(order, which, change), ...also }))

  /**
   * One try, noted before it begins.
   *
   * @param {Order} order @param {Which} which @param {Payment} before @param {() => Promise<Partial<Order>>} create
   * @returns {Promise<boolean>} whether it is there, so that something else may follow at once
   */
  async function attempt(order, which, before, create) {
    await store(order, which, trying)
    try {
      const also = await create()
      await store(order, which, created, also)
      return true
    } catch (error) {
      if (!isGatewayError(error)) throw error
      report(error)
      const decided = failed(before, error)
      // A callback may have come during the try.
      await store(order, which, ({ status, isFinal }) => ({ ...decided, status, isFinal }))
      return false
    }
  }

  /** @param {Order} order */
  function createPayin(order) {
    return attempt(order, 'payin', order.payin, async () => ({
      payTo: payToOf(await client.payins.create(payinRequest(order), { signal })),
    }))
  }

  /**
   * Its id follows from the payin's and the number, and the client looks up what was given back before.
   *
   * @param {Order} order @param {import('./order.mjs').Refund} refund
   */
  async function createRefund(order, refund) {
    if (!(await mayBeRefunded(order, refund.number))) return false
    return attempt(order, refund.number, refund, async () => {
      const paidMoneyOf = () => money(order.total.amount, order.total.currencyCode)
      await client.payins.refund(refundRequest(order, refund), { signal, paidMoneyOf })
      return {}
    })
  }

  /** The gateway is asked, because what the shop knows may be old. @param {Order} order @param {number} number */
  async function mayBeRefunded(order, number) {
    try {
      const payin = await client.payins.retrieve(order.payin.id, { signal })
      const { account } = payin.paymentMethodResponse ?? {}
      const paidBy = accountThatPaid(order.account, account)
      if (isPaid(payin) && paidBy === 'same') return true
      report(new Error(`Order ${order.number} ${isPaid(payin) ? reasons[paidBy] : notPaid}`))
      await store(order, number, stuck)
    } catch (error) {
      if (!isGatewayError(error)) throw error
      report(error)
    }
    return false
  }

  /** @param {Order} order @returns {Promise<boolean>} whether something was created */
  return async (order) => {
    const which = toCreate(order)
    if (which === 'payin') return createPayin(order)
    const refund = order.refunds.find(({ number }) => number === which)
    return refund !== undefined && createRefund(order, refund)
  }
}
