// @ts-check
// What can be done in the shop, and what the gateway calls back. An order is stored before anything else happens.
import { randomUUID } from 'node:crypto'
import { isGatewayError, money } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { currencyCode, limits } from './catalogue.mjs'
import { checkTotal, readCheckout } from './checkout.mjs'
import { foundOf } from './gateway.mjs'
import { leftOf, newOrder, seen, withRefund } from './order.mjs'
import { openOutbox } from './outbox.mjs'
import { decimal, parseCents } from './public/amount.mjs'
import { orderNumber } from './view.mjs'
import { visitorLimit } from './visitors.mjs'
import { Refusal } from './web.mjs'

/**
 * @typedef {import('./order.mjs').Order} Order
 * @typedef {object} ShopParts
 * @property {import('merchant-gateway').GatewayClient} client
 * @property {import('./storage/storage.mjs').Storage} storage
 * @property {string} publicUrl where the gateway reaches it
 * @property {readonly (string | Uint8Array)[] | undefined} [secrets] of callbacks; else GATEWAY_CALLBACK_SECRET
 */

/**
 * The browser makes the key, and it opens the order: long, random, and in no address that others see. Nobody can tell
 * whether a text is random; one that is short, or says the same again and again, is not.
 *
 * @param {string} key
 */
const isOrderKey = (key) => /^[\w-]{22,64}$/.test(key) && new Set(key).size >= 8
/** How long an answer waits for the gateway. The order is stored, so the page can ask again. */
const patienceMs = 3_000
const banksMs = 8_000

/** @param {ShopParts} parts */
export function openShop({ client, storage, publicUrl, secrets }) {
  // Attaches itself to the client, so that every payment gets a callbackUrl with its own signature.
  const callbacks = new CallbackReceiver({
    client,
    publicUrl: `${publicUrl.replace(/\/+$/, '')}/gateway/callbacks`,
    ...(secrets && { secrets }),
    async onPayin(payin, { idPayin }) {
      const { key } = await known({ idPayin })
      await storage.change(key, (order) => {
        return { ...order, payin: seen(order.payin, foundOf(payin, order.total)) }
      })
    },
    async onPayout(payout, { idPayout }) {
      const { key } = await known({ idPayout })
      await storage.change(key, (order) => {
        const { currencyCode } = order.total
        const refunds = order.refunds.map((one) =>
          one.id === idPayout
            ? { ...one, ...seen(one, foundOf(payout, { amount: one.amount, currencyCode })) }
            : one,
        )
        return { ...order, refunds }
      })
    },
    onError: report,
  })

  /** Without it the gateway is not answered 204, and calls again. @param {import('./storage/storage.mjs').OrderRef} ref */
  async function known(ref) {
    const order = await storage.find(ref)
    if (order === undefined) throw new Error('A callback came for an order that is not stored (yet).')
    return order
  }

  /** @param {string} key @returns {Promise<Order>} */
  async function orderOf(key) {
    const order = isOrderKey(key) ? await storage.find({ key }) : undefined
    if (order === undefined) throw new Refusal(404, 'We do not know this order.')
    return order
  }

  const mayOrder = visitorLimit(limits.perMinute.orders)
  const mayAskForBanks = visitorLimit(limits.perMinute.banks)

  /** @param {string} visitor @param {string} key @param {Record<string, unknown>} body */
  async function placeOrder(visitor, key, body) {
    if (!isOrderKey(key)) throw new Refusal(400, 'Something went wrong. Please reload the page.')
    const details = { key, number: orderNumber(key), idPayin: randomUUID(), now: Date.now() }
    // Whoever sends it again, by a second click or after a lost answer, gets the order that is there.
    if ((await storage.find({ key })) === undefined) {
      mayOrder(visitor)
      await storage.add(newOrder(readCheckout(body), details))
    }
    await atMost(patienceMs, outbox.send(key))
    return orderOf(key)
  }

  /** The first, and all that is left, where the page says neither. @param {string} key @param {Record<string, unknown>} body */
  async function askForRefund(key, { number = 1, amount }) {
    await orderOf(key)
    await storage.change(key, (order) => {
      if (order.payin.status !== 'SUCCESS') throw new Refusal(409, 'This order has not been paid.')
      const cents = amount === undefined ? leftOf(order) : (parseCents(String(amount)) ?? 0)
      const changed = withRefund(order, Number(number), cents)
      if (changed !== undefined) return changed
      throw new Refusal(
        409,
        `We can give back ${decimal(leftOf(order))} ${currencyCode} of this order, in one refund after the other.`,
      )
    })
    await atMost(patienceMs, outbox.send(key))
    return orderOf(key)
  }

  /** @param {string} key @param {boolean} asStored */
  async function lookAt(key, asStored) {
    const order = await orderOf(key)
    if (asStored) return order
    await atMost(patienceMs, outbox.refresh(order))
    return orderOf(key)
  }

  /** @param {string} visitor @param {string} amount */
  async function banks(visitor, amount) {
    const cents = parseCents(amount)
    if (cents === undefined || cents === 0) throw new Refusal(400, 'Please choose something first.')
    checkTotal(cents)
    mayAskForBanks(visitor)
    const { data } = await client.payins.paymentOptions(money(decimal(cents), currencyCode), {
      deadlineMs: banksMs,
    })
    return data.flatMap(({ paymentMethodCode: methodCode, paymentOperators }) =>
      paymentOperators.map(({ code: operatorCode, name }) => ({ methodCode, operatorCode, name })),
    )
  }

  const outbox = openOutbox({ client, callbacks, storage, report })

  async function close() {
    await Promise.all([callbacks.drain(), outbox.close()])
  }
  return { placeOrder, lookAt, askForRefund, banks, orderOf, receiveCallback: callbacks.node(), close }
}

/** For the shop's own people. A gateway's error says what happened and what to do, and holds no secret. @param {unknown} error */
export function report(error) {
  // Not there yet: it may be so for a moment after its creation.
  if (isGatewayError(error) && (error.code === 'not_found' || error.code === 'aborted')) return
  console.error(error instanceof Error ? error.message : error)
}

/** Waits for the work, but not for long; it goes on by itself. @param {number} ms @param {Promise<void>} work */
async function atMost(ms, work) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
