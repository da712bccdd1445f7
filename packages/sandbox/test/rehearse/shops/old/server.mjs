// The first demo shop, kept for what was wrong with it: an id for each request, orders in memory, a callback for an
// order that isn't stored yet answered as if all were well. A rehearsal has to find that. Not to be copied.
//
// Run it: PORT=4100 GATEWAY_BASE_URL=... node packages/sandbox/test/rehearse/shops/old/server.mjs (with the other GATEWAY_* variables)
// POST /orders {"amount":"12.50","currencyCode":"EUR"}; POST /orders/{n} orders order n; GET /orders/{n} shows it.
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { GatewayClient, isFinal, isGatewayError, money } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'

const client = GatewayClient.fromEnv()
const orders = new Map()
/** From the number that the customer knows to the order that was made of it last. */
const newest = new Map()

const server = createServer((request, response) => {
  if (request.url?.startsWith('/gateway/callbacks/')) receiveCallback(request, response)
  else void serve(request, response).catch((error) => fail(response, error))
}).listen(Number(process.env.PORT ?? 0), '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${server.address().port}`

const callbacks = new CallbackReceiver({
  client,
  publicUrl: `${url}/gateway/callbacks`,
  secrets: [randomBytes(32)],
  onPayin(payin, { idPayin }) {
    const order = orders.get(idPayin)
    if (order === undefined) return
    order.status = payin.process?.status ?? order.status
    order.isFinal = isFinal(payin)
  },
})
const receiveCallback = callbacks.node()

async function placeOrder(wish) {
  const asked = money(String(wish.amount), String(wish.currencyCode))
  const id = randomUUID()
  const payin = await client.payins.create({
    idPayin: id,
    paymentRequested: { money: asked },
    paymentMethod: {
      paymentMethodCode: String(wish.paymentMethodCode ?? 'VAPAY'),
      paymentOperatorCode: String(wish.paymentOperatorCode ?? 'HARBOUR'),
    },
  })
  const { reference } = payin.paymentMethodResponse ?? {}
  const { amount, currencyCode } = asked
  orders.set(id, { id, amount: Number(amount), currencyCode, status: 'PENDING', isFinal: false, reference })
  return { id }
}

async function serve(request, response) {
  const { pathname } = new URL(request.url, url)
  const [, what, number] = pathname.split('/')
  if (what !== 'orders') return sendJson(response, { message: 'There is no such thing here.' }, 404)
  if (request.method === 'POST' && number === undefined) {
    return sendJson(response, await placeOrder(await readJson(request)))
  }
  if (request.method === 'POST') {
    request.resume()
    const { id } = await placeOrder(wanted(number))
    newest.set(number, id)
    return sendJson(response, { id })
  }
  const order = orders.get(newest.get(number) ?? number)
  if (order === undefined) return sendJson(response, { message: 'There is no such order.' }, 404)
  sendJson(response, order)
}

/** Each order has a price of its own. */
function wanted(number) {
  return { amount: (10 + (Number.parseInt(number, 10) || 0) / 100).toFixed(2), currencyCode: 'EUR' }
}

async function readJson(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return JSON.parse(text)
}

function sendJson(response, value, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function fail(response, error) {
  const isInput = isGatewayError(error) && error.code === 'invalid_input'
  const message = isGatewayError(error) ? error.message : 'Something went wrong.'
  sendJson(response, { message }, isInput ? 400 : 502)
}

console.log(`The old shop: ${url}/`)
