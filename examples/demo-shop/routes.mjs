// @ts-check
// The shop over HTTP: which request does what, and how it is answered.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { isGatewayError } from 'merchant-gateway'
import { currencyCode, limits, products, shopName } from './catalogue.mjs'
import { openShop, report } from './shop.mjs'
import { viewOf } from './view.mjs'
import { Refusal, readJson, sendFile, sendJson } from './web.mjs'

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 *
 * @typedef {object} Demo Only where the gateway is a sandbox.
 * @property {(idPayin: string) => void} pay stands in for the customer, who would pay at their bank
 * @property {string} gatewayPage
 * @property {string} framedBy the origin of the page that shows both sides
 *
 * @typedef {Omit<import('./shop.mjs').ShopParts, 'publicUrl'> & {
 *   port?: number, publicUrl?: string | undefined, demo?: Demo,
 * }} ServeOptions `publicUrl` is where customers and the gateway reach it, behind a proxy
 */

/** @param {ServeOptions} options */
export async function serveShop({ client, storage, secrets, port = 0, publicUrl, demo }) {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}`
  const shop = openShop({ client, storage, secrets, publicUrl: publicUrl ?? url })

  /** @param {Request} request @param {Response} response */
  async function serve(request, response) {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop.invalid')
    const [, area = '', key = '', action = ''] = pathname.split('/')
    const route = `${request.method} /${[area, key && '{key}', action].filter(Boolean).join('/')}`
    // Behind a proxy everybody comes from there: take the address that your proxy says, and no other.
    const visitor = request.socket.remoteAddress ?? ''
    const body = request.method === 'POST' ? await readJson(request) : {}
    switch (route) {
      case 'GET /catalogue':
        return sendJson(response, {
          shopName,
          currencyCode,
          products,
          limits,
          gatewayPage: demo?.gatewayPage,
        })
      case 'GET /banks':
        return sendJson(response, await shop.banks(visitor, searchParams.get('amount') ?? ''))
      case 'POST /orders/{key}':
        return sendOrder(response, await shop.placeOrder(visitor, key, body))
      case 'GET /orders/{key}':
        return sendOrder(response, await shop.lookAt(key, searchParams.has('stored')))
      case 'POST /orders/{key}/refund':
        return sendOrder(response, await shop.askForRefund(key, body))
      case 'POST /orders/{key}/pay':
        if (demo === undefined) break
        demo.pay((await shop.orderOf(key)).payin.id)
        return sendOrder(response, await shop.orderOf(key))
      default:
        if (request.method === 'GET' && key === '') {
          return sendFile(response, area === '' ? 'index.html' : area, demo?.framedBy)
        }
    }
    throw new Refusal(404, 'There is nothing here.')
  }

  server.on('request', (request, response) => {
    if (request.url?.startsWith('/gateway/callbacks/')) shop.receiveCallback(request, response)
    else serve(request, response).catch((error) => fail(response, error))
  })

  async function close() {
    server.close()
    await shop.close()
    server.closeAllConnections()
  }
  return { url, close }
}

/** 202 while the gateway has not answered yet: the order is there all the same. @param {Response} response @param {import('./order.mjs').Order} order */
function sendOrder(response, order) {
  const view = viewOf(order)
  sendJson(response, view, view.status === 'PREPARING' || view.refund?.status === 'REQUESTED' ? 202 : 200)
}

/** @param {Response} response @param {unknown} error */
function fail(response, error) {
  if (response.headersSent) return
  if (error instanceof Refusal) return sendJson(response, { message: error.message }, error.status)
  report(error)
  const message = isGatewayError(error)
    ? 'We can’t reach the banks right now.'
    : 'Something is wrong on our side right now.'
  sendJson(response, { message }, 503)
}
