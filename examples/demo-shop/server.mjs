// @ts-check
// The web application of a merchant: it takes a payin, hears of it by callbacks, and refunds it by a payout.
// Its page gets what a customer may see, and never a token of the server.
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { isFinal, isGatewayError, money } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { Refusal, readJson, sendFile, sendJson } from './web.mjs'

/**
 * @typedef {{ idPayout: string, status: string, isFinal: boolean }} Refund
 * @typedef {object} Order What a customer sees. A real shop has it in a database.
 * @property {string} id also the idPayin: one order is one payment
 * @property {number} amount
 * @property {string} currencyCode
 * @property {string} status
 * @property {boolean} isFinal
 * @property {{ bank?: string | undefined, account?: string | undefined, reference?: string | undefined, expireAt?: string | undefined }} payTo
 * @property {Refund | null} refund
 *
 * @typedef {object} Bank Stands in for the customer's bank; only a sandbox has such a thing.
 * @property {(idPayin: string) => void} pay
 * @property {(idPayout: string) => void} transfer
 */

/**
 * @param {{ client: import('merchant-gateway').GatewayClient, bank: Bank, port?: number, gatewayPage?: string }} options
 */
export async function openShop({ client, bank, port = 0, gatewayPage }) {
  /** @type {Map<string, Order>} */
  const orders = new Map()
  /** @type {Map<string, string>} From idPayout to the order. */
  const refunds = new Map()
  /** @type {Map<string, Set<import('node:http').ServerResponse>>} Who watches which order. */
  const watchers = new Map()

  /** @param {Order} order */
  const tell = (order) => {
    for (const watcher of watchers.get(order.id) ?? []) watcher.write(`data: ${JSON.stringify(order)}\n\n`)
  }

  const server = createServer((request, response) => {
    if (request.url?.startsWith('/gateway/callbacks/')) receiveCallback(request, response)
    else void serve(request, response).catch((error) => fail(response, error))
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}`

  // Attaches itself to the client, so that every payment gets a callbackUrl with its own signature.
  const callbacks = new CallbackReceiver({
    client,
    publicUrl: `${url}/gateway/callbacks`,
    secrets: [randomBytes(32)],
    onPayin(payin, { idPayin }) {
      const order = orders.get(idPayin)
      if (order === undefined) return
      order.status = payin.process?.status ?? order.status
      order.isFinal = isFinal(payin)
      tell(order)
    },
    onPayout(payout, { idPayout }) {
      const order = orders.get(refunds.get(idPayout) ?? '')
      if (!order?.refund) return
      order.refund.status = payout.process.status
      order.refund.isFinal = isFinal(payout)
      tell(order)
    },
  })
  const receiveCallback = callbacks.node()

  /** @param {{ amount?: unknown, currencyCode?: unknown, paymentMethodCode?: unknown, paymentOperatorCode?: unknown }} wish */
  async function placeOrder(wish) {
    const asked = money(String(wish.amount), String(wish.currencyCode))
    // The id exists before the call, so that a call which got lost can be made again with it.
    const id = randomUUID()
    const payin = await client.payins.create({
      idPayin: id,
      paymentRequested: { money: asked },
      paymentMethod: {
        paymentMethodCode: String(wish.paymentMethodCode),
        paymentOperatorCode: String(wish.paymentOperatorCode),
      },
    })
    const { account, reference, expireAt } = payin.paymentMethodResponse ?? {}
    const payTo = {
      bank: account?.bankName ?? account?.bankCode ?? undefined,
      account: account?.accountNumber ?? undefined,
      reference: reference ?? undefined,
      expireAt: expireAt ?? undefined,
    }
    const { amount, currencyCode } = asked
    orders.set(id, {
      id,
      amount: Number(amount),
      currencyCode,
      status: 'PENDING',
      isFinal: false,
      payTo,
      refund: null,
    })
    return { id }
  }

  /** @param {Order} order @param {{ accountName?: unknown, accountNumber?: unknown }} account */
  async function refund(order, { accountName, accountNumber }) {
    if (order.status !== 'SUCCESS') throw new Refusal(409, 'The order is not paid.')
    // Stored before the call, and used again if the customer asks again: money goes back once.
    order.refund ??= { idPayout: randomUUID(), status: 'REQUESTED', isFinal: false }
    const { idPayout } = order.refund
    refunds.set(idPayout, order.id)
    await client.payouts.create({
      idPayout,
      paymentRequested: { money: { amount: order.amount, currencyCode: order.currencyCode } },
      paymentMethod: {
        paymentMethodCode: 'BANK_TRANSFER',
        account: { accountName: String(accountName), accountNumber: String(accountNumber) },
      },
    })
    tell(order)
    bank.transfer(idPayout)
    return { idPayout }
  }

  /** @param {Order} order @param {import('node:http').ServerResponse} response */
  function watch(order, response) {
    const mine = watchers.get(order.id) ?? new Set()
    watchers.set(order.id, mine.add(response))
    response.on('close', () => mine.delete(response) && mine.size === 0 && watchers.delete(order.id))
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.write(`data: ${JSON.stringify(order)}\n\n`)
  }

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async function serve(request, response) {
    const { pathname, searchParams } = new URL(request.url ?? '/', url)
    const [, api, what, id = '', action = ''] = pathname.split('/')
    if (api !== 'api') return sendFile(response, pathname === '/' ? '/index.html' : pathname)
    const body = request.method === 'POST' ? await readJson(request, url) : {}
    const route = `${request.method} ${[what, id && ':id', action].filter(Boolean).join('/')}`
    if (route === 'GET options') {
      const asked = money(searchParams.get('amount') ?? '', searchParams.get('currencyCode') ?? '')
      const { data } = await client.payins.paymentOptions(asked)
      return sendJson(response, { data, gatewayPage })
    }
    if (route === 'POST orders') return sendJson(response, await placeOrder(body))
    const order = orders.get(id)
    if (what !== 'orders' || order === undefined) throw new Refusal(404, 'There is no such order.')
    if (route === 'GET orders/:id/events') return watch(order, response)
    if (route === 'POST orders/:id/pay') return sendJson(response, bank.pay(id))
    if (route === 'POST orders/:id/refund') return sendJson(response, await refund(order, body))
    throw new Refusal(404, 'There is no such thing here.')
  }

  async function close() {
    server.close()
    server.closeAllConnections()
    await callbacks.drain()
  }
  return { url, close }
}

/** @param {import('node:http').ServerResponse} response @param {unknown} error */
function fail(response, error) {
  if (response.headersSent) return
  if (error instanceof Refusal) return sendJson(response, { message: error.message }, error.status)
  // The gateway's errors say in one sentence what happened, and hold no secret.
  const isInput = isGatewayError(error) && error.code === 'invalid_input'
  const message = isGatewayError(error) ? error.message : 'Something went wrong.'
  sendJson(response, { message }, isInput ? 400 : 502)
}
