// @ts-check
// The shop as a merchant runs it: node demo-shop/server.mjs, with the variables of GatewayClient.fromEnv(), GATEWAY_LIVE
// and GATEWAY_CALLBACK_SECRET (openssl rand -hex 32). SHOP_BY_HAND=true is the shop without merchant-gateway.
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { handler, listen, readJson, refuse, sendFile, sendJson } from './http.mjs'
import { currencyCode, mostPackets, newOrder, product, viewOf } from './order.mjs'
import { openStorage } from './storage.mjs'

const { PORT = '4100', PUBLIC_URL, SHOP_FOLDER = 'shop-orders', SHOP_BY_HAND, GATEWAY_LIVE } = process.env
/** @type {Readonly<Record<string, string>>} */
const files = { '/': 'index.html', '/shop.css': 'shop.css', '/shop.js': 'shop.js' }
/** How long a response waits for the gateway. The order is stored, so the page can ask again. */
const patienceMs = 3_000

if (!GATEWAY_LIVE) {
  const advice = 'says what counts: true for real money only, false at a test gateway'
  console.error(`The shop ships what is paid, so it does not start before GATEWAY_LIVE ${advice}.`)
  process.exit(1)
}

const { openPayments } = await (SHOP_BY_HAND === 'true' ? import('./by-hand.mjs') : import('./payments.mjs'))
const storage = openStorage(SHOP_FOLDER)
const server = createServer()
const url = await listen(server, Number(PORT))
const payments = openPayments({ storage, publicUrl: (PUBLIC_URL ?? url).replace(/\/+$/, '') })

const serve = handler(async (request, response) => {
  const { url = '', method } = request
  const [, area, id = ''] = url.split('/')
  if (url === '/catalogue') return sendJson(response, { product, currencyCode })
  if (area !== 'orders') return sendFile(response, files[url])
  if (method === 'POST') {
    const { quantity } = (await readJson(request)) ?? {}
    const isCount = typeof quantity === 'number' && Number.isInteger(quantity)
    if (!isCount || quantity < 1 || quantity > mostPackets) {
      return refuse(response, 400, `You can order 1 to ${mostPackets} packets.`)
    }
    if (!/^[\w-]{22,60}$/.test(id)) return refuse(response, 400, 'We do not know this order.')
    // Whoever sends it again, by a second click or after a lost response, gets the order that is there.
    const work = payments.follow(storage.add(newOrder(id, quantity)))
    await Promise.race([work, pause(patienceMs, undefined, { ref: false })])
  }
  const order = storage.get(id)
  if (order === undefined) return refuse(response, 404, 'We do not know this order.')
  const view = viewOf(order)
  // 202 while the gateway has not answered: the order is there all the same.
  sendJson(response, view, view.status === 'PREPARING' ? 202 : 200)
})
server.on('request', (request, response) => {
  if (request.url?.startsWith('/gateway/callbacks/')) payments.receiveCallback(request, response)
  else serve(request, response)
})
console.log(`The shop: ${url}/`)
process.send?.(url)

async function stop() {
  server.close()
  await payments.close()
  server.closeAllConnections()
  if (process.connected) process.disconnect()
}
// What the demo has started ends with it.
for (const event of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(event, stop)
