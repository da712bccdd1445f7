// @ts-check
// The shop over HTTP: which request does what, and who may ask.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { isGatewayError } from 'merchant-gateway'
import { currencyCode, product, Refusal } from './checkout.mjs'
import { viewOf } from './order.mjs'
import { openShop, report } from './shop.mjs'

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 *
 * @typedef {object} Demo Only where the gateway is a sandbox.
 * @property {(idPayin: string) => void} pay stands in for the customer, who would pay at their bank
 * @property {(request: Request, response: Response) => boolean} answers what is no business of the shop
 *
 * @typedef {Omit<import('./shop.mjs').ShopParts, 'publicUrl'> & {
 *   port?: number, publicUrl?: string | undefined, demo?: Demo,
 * }} ServeOptions `publicUrl` is where customers and the gateway reach it, behind a proxy
 */

/** @type {Readonly<Record<string, [name: string, type: string]>>} */
const files = {
  '/': ['index.html', 'text/html'],
  '/shop.css': ['shop.css', 'text/css'],
  '/shop.js': ['shop.js', 'text/javascript'],
  '/ask.js': ['ask.js', 'text/javascript'],
}
const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}
const mostBytes = 10_000

/** @param {ServeOptions} options */
export async function serveShop({ client, storage, port = 0, publicUrl, demo }) {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}`
  const shop = openShop({ client, storage, publicUrl: publicUrl ?? url })

  /** @param {Request} request @param {Response} response */
  async function serve(request, response) {
    const { url: target = '/' } = request
    if (!URL.canParse(target, 'http://shop.invalid')) throw new Refusal(404, 'There is nothing here.')
    const { pathname, searchParams } = new URL(target, 'http://shop.invalid')
    const [, area = '', key = '', action = ''] = pathname.split('/')
    const body = request.method === 'POST' ? await readJson(request) : {}
    switch (`${request.method} ${area}/${action}`) {
      case 'GET catalogue/':
        return sendJson(response, { product, currencyCode, isDemo: demo !== undefined })
      case 'GET banks/':
        return sendJson(response, await shop.banks(Number(searchParams.get('cents'))))
      case 'POST orders/':
        return sendOrder(response, await shop.placeOrder(key, body))
      case 'GET orders/':
        return sendOrder(response, shop.orderOf(key))
      case 'POST orders/refund':
        return sendOrder(response, await shop.askForRefund(key, body))
      case 'POST orders/pay':
        if (demo === undefined) break
        demo.pay(shop.orderOf(key).id)
        return sendOrder(response, shop.orderOf(key))
    }
    const [name, type] = files[pathname] ?? []
    if (name === undefined || request.method !== 'GET') throw new Refusal(404, 'There is nothing here.')
    response.writeHead(200, { ...headers, 'content-type': `${type}; charset=utf-8` })
    response.end(readFileSync(new URL(`public/${name}`, import.meta.url)))
  }

  server.on('request', (request, response) => {
    if (request.url?.startsWith('/gateway/callbacks/')) shop.receiveCallback(request, response)
    else if (!demo?.answers(request, response))
      serve(request, response).catch((error) => fail(response, error))
  })

  async function close() {
    server.close()
    await shop.close()
    server.closeAllConnections()
  }
  return { url, close }
}

/**
 * A JSON body from the shop's own page. With this content type a browser lets no page of another site send it.
 *
 * @param {Request} request @returns {Promise<Record<string, unknown>>}
 */
async function readJson(request) {
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new Refusal(415, 'The body must be application/json.')
  }
  // Of a body without a length the connection is cut where it is too long.
  if (Number(request.headers['content-length']) > mostBytes) {
    throw new Refusal(413, 'That is too much at once.')
  }
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > mostBytes) throw new Refusal(413, 'That is too much at once.')
  }
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    throw new Refusal(400, 'The body is not JSON.')
  }
}

/** 202 while the gateway has not answered yet: the order is there all the same. @param {Response} response @param {import('./order.mjs').Order} order */
function sendOrder(response, order) {
  const view = viewOf(order)
  const isWaiting = view.status === 'PREPARING' || view.refunds.some(({ status }) => status === 'REQUESTED')
  sendJson(response, view, isWaiting ? 202 : 200)
}

/** @param {Response} response @param {unknown} value */
function sendJson(response, value, status = 200) {
  const type = 'application/json; charset=utf-8'
  response.writeHead(status, { ...headers, 'content-type': type }).end(JSON.stringify(value))
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
