// The first demo shop, kept for what was wrong with it: an id for each request, orders in memory, a callback for an
// order that isn't stored yet answered as if all were well. A rehearsal has to find that. Not to be copied.
//
// It wants PORT and the GATEWAY_* variables. POST /orders/{n} orders order n; GET /orders/{n} shows it.
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { GatewayClient, money } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'

const { PORT } = process.env
const client = GatewayClient.fromEnv()
const orders = new Map()
/** From the number that the customer knows to the order that was made of it last. */
const newest = new Map()

const callbacks = new CallbackReceiver({
  client,
  publicUrl: `http://127.0.0.1:${PORT}/gateway/callbacks`,
  secrets: [randomBytes(32)],
  onPayin(payin, { idPayin }) {
    const order = orders.get(idPayin)
    if (order !== undefined) order.status = payin.process?.status ?? order.status
  },
})
const receiveCallback = callbacks.node()

createServer((request, response) => {
  if (request.url?.startsWith('/gateway/callbacks/')) receiveCallback(request, response)
  else void serve(request, response).catch(() => response.writeHead(502).end())
}).listen(Number(PORT), '127.0.0.1')

async function serve(request, response) {
  request.resume()
  const [, , number = ''] = (request.url ?? '').split('/')
  if (request.method === 'POST') await placeOrder(number)
  const order = orders.get(newest.get(number))
  response.writeHead(order === undefined ? 404 : 200).end(JSON.stringify(order))
}

async function placeOrder(number) {
  const idPayin = randomUUID()
  // Each order has a price of its own.
  const price = (10 + (Number.parseInt(number, 10) || 0) / 100).toFixed(2)
  await client.payins.create({
    idPayin,
    paymentRequested: { money: money(price, 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
  })
  orders.set(idPayin, { status: 'PENDING' })
  newest.set(number, idPayin)
}
