// @ts-check
// One try to create what an order wants next: its payin, or its refund. Everything is noted before it is tried.
import { isGatewayError, isPaid } from 'merchant-gateway'
import { payinRequest, payToOf, refundRequest } from './gateway.mjs'
import { accountThatPaid, created, failed, stuck, toCreate, trying } from './order.mjs'

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
    storage.change(key, (order) => {
      const payment = order[which]
      return payment === null ? order : { ...order, ...also, [which]: change(payment) }
    })

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

  /** @param {Order} order @param {Payment} refund */
  async function createRefund(order, refund) {
    if (!(await mayBeRefunded(order))) return false
    return attempt(order, 'refund', refund, async () => {
      await client.payouts.create(refundRequest(order, refund.id), { signal })
      return {}
    })
  }

  /** The gateway is asked, because what the shop knows may be old. @param {Order} order */
  async function mayBeRefunded(order) {
    try {
      const payin = await client.payins.retrieve(order.payin.id, { signal })
      const { account } = payin.paymentMethodResponse ?? {}
      const paidBy = accountThatPaid(order.account, account)
      if (isPaid(payin) && paidBy === 'same') return true
      report(new Error(`Order ${order.number} ${isPaid(payin) ? reasons[paidBy] : notPaid}`))
      await store(order, 'refund', stuck)
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
    return order.refund !== null && createRefund(order, order.refund)
  }
}
