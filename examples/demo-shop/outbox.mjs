// @ts-check
// Does what the orders say is still to be done: creates payins and refunds, and follows each to its end. The order is
// stored first and is its own entry of the outbox, so whatever kills this process, at whatever line, the next one goes
// on from there with the same ids, and nothing is paid twice.
import { errorCodes, isGatewayError, moneyFromMinorUnits } from 'merchant-gateway'
import { paymentJob } from 'merchant-gateway/jobs'
import { currencyCode } from './checkout.mjs'
import { isAccountThatPaid, isOpen, numberOf, paymentsOf, seen, withPayment } from './order.mjs'

/**
 * @typedef {import('./order.mjs').Order} Order
 * @typedef {import('./order.mjs').Refund} Refund
 * @typedef {object} OutboxParts
 * @property {import('merchant-gateway').GatewayClient} client
 * @property {import('./storage.mjs').Storage} storage
 * @property {(error: unknown) => void} report
 */

const soonMs = 2_000
const lateMs = 60_000
/** After these nothing is sent again, and a person has to look. After any other error it is, under the same id. */
const ends = ['refused', 'conflict']

/** @param {OutboxParts} parts */
export function openOutbox({ client, storage, report }) {
  const closing = new AbortController()
  const { signal } = closing
  const job = paymentJob(client, 'payin', { firstPollMs: soonMs, longestPollMs: lateMs })
  /** The runs of payments that are followed, by the payment's id. @type {Map<string, Promise<void>>} */
  const runs = new Map()

  /**
   * One run of the payin's job: creates it, or looks at it. Counted before it begins, so that the next run knows of it.
   *
   * @param {Order} order @returns {Promise<number | undefined>} in how many ms the next has to follow, if any
   */
  async function runPayin({ id, payin }) {
    const { state } = payin
    const starts = payin.starts + 1
    const order = storage.change(id, (now) => ({ ...now, payin: { ...now.payin, starts } }))
    const verdict = await job(payinOf(order), { starts, state, signal })
    if (verdict.then !== 'done' && verdict.error !== undefined) report(verdict.error)
    if (verdict.then === 'stop') {
      const problem = verdict.because === 'refused' ? 'refused' : 'review'
      storage.change(id, (now) => withPayment(now, id, () => ({ problem })))
      return undefined
    }
    storage.change(id, (now) => {
      const created = verdict.created === undefined ? now : withPayTo(now, verdict.created)
      const found = verdict.payment === undefined ? created : seen(created, id, verdict.payment)
      return verdict.then === 'again' ? { ...found, payin: { ...found.payin, state: verdict.state } } : found
    })
    return verdict.then === 'again' ? verdict.afterMs : undefined
  }

  /** One try to make the refund, or one look at it. @param {Order} order @param {Refund} refund */
  async function runRefund(order, refund) {
    const isMade = refund.status !== null
    try {
      await (isMade ? lookAt(order, refund) : makeRefund(order, refund))
    } catch (error) {
      if (!isGatewayError(error)) throw error
      report(error)
      if (!isMade && ends.includes(errorCodes[error.code].job))
        leaveToAPerson(order, refund, 'it was refused')
    }
    // The younger it is, the sooner somebody wants to know.
    return Math.min(lateMs, Math.max(soonMs, (Date.now() - refund.askedAt) / 10))
  }

  /** @param {Order} order @param {Refund} refund */
  async function lookAt({ id }, refund) {
    const payout = await client.payouts.retrieve(refund.id, { signal })
    storage.change(id, (now) => seen(now, refund.id, payout))
  }

  /** The client sees to it that the payin is paid, and that all refunds are no more. @param {Order} order @param {Refund} refund */
  async function makeRefund(order, refund) {
    const { id, cents, account, operatorCode } = order
    // Whoever knows the order may ask, so the money goes back to where it came from, or waits.
    if (!isAccountThatPaid(order, await client.payins.retrieve(id, { signal }))) {
      return leaveToAPerson(order, refund, 'the gateway does not show that the account of the order paid')
    }
    const paid = moneyFromMinorUnits(cents, currencyCode)
    const money = moneyFromMinorUnits(refund.cents, currencyCode)
    const request = { idPayin: id, number: refund.number, money, account, paymentOperatorCode: operatorCode }
    await client.payins.refund(request, { signal, paidMoneyOf: () => paid })
    storage.change(id, (now) => withPayment(now, refund.id, asCreated))
  }

  /** @param {Order} order @param {Refund} refund @param {string} why */
  function leaveToAPerson(order, refund, why) {
    storage.change(order.id, (now) => withPayment(now, refund.id, () => ({ problem: 'review' })))
    const what = `Order ${numberOf(order)} has a refund that waits, because ${why}`
    const advice = `look at its payin, and refund it by hand if that is right and the gateway has no payout ${refund.id}`
    report(new Error(`${what}: ${advice}.`))
  }

  /** Follows a payment from now on. Resolves after its first run. @param {string} idOrder @param {string} id */
  function follow(idOrder, id) {
    const run = runs.get(id) ?? runOnce(idOrder, id).then((afterMs) => again(idOrder, id, afterMs))
    runs.set(id, run)
    return run
  }

  /** @param {string} idOrder @param {string} id @param {number | undefined} afterMs */
  function again(idOrder, id, afterMs) {
    if (afterMs === undefined) runs.delete(id)
    else setTimeout(() => runs.delete(id) && follow(idOrder, id), afterMs).unref()
  }

  /** @param {string} idOrder @param {string} id */
  async function runOnce(idOrder, id) {
    const order = storage.get(idOrder)
    const payment = order && paymentsOf(order).find((one) => one.id === id)
    if (signal.aborted || order === undefined || payment === undefined || !isOpen(payment)) return undefined
    try {
      return await ('number' in payment ? runRefund(order, payment) : runPayin(order))
    } catch (error) {
      report(error)
      return lateMs
    }
  }

  for (const order of storage.all()) for (const { id } of paymentsOf(order)) void follow(order.id, id)

  async function close() {
    closing.abort()
    await Promise.all(runs.values())
  }
  return { follow, close }
}

/** The same order asks for the same every time, so that a repetition is one. @param {Order} order */
function payinOf({ id, cents, methodCode, operatorCode, account }) {
  return {
    idPayin: id,
    paymentRequested: { money: moneyFromMinorUnits(cents, currencyCode) },
    paymentMethod: { paymentMethodCode: methodCode, paymentOperatorCode: operatorCode, account },
  }
}

/** A callback may have been faster. @param {import('./order.mjs').Payment} payment */
const asCreated = ({ status }) => ({ status: status ?? 'PENDING' })

/** @param {Order} order @param {import('merchant-gateway/jobs').CreatedPayment<'payin'>} created @returns {Order} */
function withPayTo(order, { paymentMethodResponse }) {
  const { account, reference, expireAt } = paymentMethodResponse ?? {}
  const payTo = { bank: account?.bankName ?? account?.bankCode, reference, expireAt }
  return { ...withPayment(order, order.id, asCreated), payTo }
}
