// @ts-check
// What can be done in the shop, and what the gateway calls back. An order is stored before anything else happens.
import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isGatewayError, moneyFromMinorUnits } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { currencyCode, Refusal, readCents, readCheckout } from './checkout.mjs'
import { leftOf, newOrder, seen, withRefund } from './order.mjs'
import { openOutbox } from './outbox.mjs'

/**
 * @typedef {object} ShopParts
 * @property {import('merchant-gateway').GatewayClient} client
 * @property {import('./storage.mjs').Storage} storage
 * @property {string} publicUrl where the gateway reaches it
 */

/** How long a response waits for the gateway. The order is stored, so the page can ask again. */
const patienceMs = 3_000
const banksMs = 8_000

/** @param {ShopParts} parts */
export function openShop({ client, storage, publicUrl }) {
  // Attaches itself to the client, so that every payment gets a callbackUrl, signed with GATEWAY_CALLBACK_SECRET. It looks the
  // payment up; when a function throws, the gateway is not answered 204, and calls again.
  const callbacks = new CallbackReceiver({
    client,
    publicUrl: `${publicUrl.replace(/\/+$/, '')}/gateway/callbacks`,
    onPayin: (payin, { idPayin }) => storage.change(idPayin, (order) => seen(order, idPayin, payin)),
    onPayout: (payout, { idPayout }) =>
      storage.change(storage.ofRefund(idPayout)?.id ?? '', (order) => seen(order, idPayout, payout)),
    onError: report,
  })
  const outbox = openOutbox({ client, storage, report })

  /** @param {string} key */
  function orderOf(key) {
    const order = storage.get(idOf(key))
    if (order === undefined) throw new Refusal(404, 'We do not know this order.')
    return order
  }

  /** Whoever sends it again, by a second click or after a lost response, gets the order that is there. @param {string} key @param {Record<string, unknown>} body */
  async function placeOrder(key, body) {
    const id = idOf(key)
    if (storage.get(id) === undefined) storage.add(newOrder(id, readCheckout(body)))
    await atMost(patienceMs, outbox.follow(id, id))
    return orderOf(key)
  }

  /** The first, and all that is left, where the page says neither. @param {string} key @param {Record<string, unknown>} body */
  async function askForRefund(key, { number = 1, amount }) {
    const { id } = orderOf(key)
    if (typeof number !== 'number') throw new Refusal(400, 'Please say which refund it is: 1 is the first.')
    const { refunds } = storage.change(id, (order) => {
      if (order.payin.status !== 'SUCCESS') throw new Refusal(409, 'This order has not been paid.')
      const left = leftOf(order)
      const cents = amount === undefined ? left : readCents(amount)
      const changed = withRefund(order, { number, cents, now: Date.now() })
      if (changed !== undefined) return changed
      const most = moneyFromMinorUnits(left, currencyCode).amount
      throw new Refusal(
        409,
        `We can give back ${most} ${currencyCode} of this order, in one refund after the other.`,
      )
    })
    const refund = refunds.find((one) => one.number === number)
    if (refund !== undefined) await atMost(patienceMs, outbox.follow(id, refund.id))
    return orderOf(key)
  }

  /** @param {number} cents */
  async function banks(cents) {
    if (!Number.isSafeInteger(cents) || cents < 1) throw new Refusal(400, 'Please choose something first.')
    const { data } = await client.payins.paymentOptions(moneyFromMinorUnits(cents, currencyCode), {
      deadlineMs: banksMs,
    })
    return data.flatMap(({ paymentMethodCode: methodCode, paymentOperators }) =>
      paymentOperators.map(({ code: operatorCode, name }) => ({ methodCode, operatorCode, name })),
    )
  }

  async function close() {
    await Promise.all([callbacks.drain(), outbox.close()])
  }
  return { placeOrder, askForRefund, banks, orderOf, receiveCallback: callbacks.node(), close }
}

/**
 * The browser makes the key, and it opens the order: long, random, and in no address that others see. The id is made of
 * it, and doesn't lead back to it, so the gateway may know the id.
 *
 * @param {string} key
 */
function idOf(key) {
  if (!/^[\w-]{22,64}$/.test(key)) throw new Refusal(400, 'We do not know this order.')
  return hash('sha256', key).slice(0, 32)
}

/** For the shop's own people. A gateway's error says what happened and what to do, and holds no secret. @param {unknown} error */
export function report(error) {
  // Not there yet: it may be so for a moment after its creation.
  if (isGatewayError(error) && (error.code === 'not_found' || error.code === 'aborted')) return
  console.error(error instanceof Error ? error.message : error)
}

/** Waits for the work, but not for long; it goes on by itself. @param {number} ms @param {Promise<void>} work */
function atMost(ms, work) {
  return Promise.race([work, pause(ms, undefined, { ref: false })])
}
