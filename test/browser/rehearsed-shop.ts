import { once } from 'node:events'
import { createServer } from 'node:http'
import { isGatewayError, money } from '../../src/index.js'
import type { Gateway } from './gateway.js'

/** A small shop over loopback: POST /orders/{n} orders cart n, GET /orders/{n} says whether it is paid. */
export interface RehearsedShop {
  /** What a customer does, as the page takes it. */
  readonly act: string
  readonly status: string
  /** Whether an order makes an id of its own for each try: two payments for one cart. */
  makesNewIds: boolean
  close(): Promise<void>
}

export async function openRehearsedShop({ client, callbackUrl }: Gateway): Promise<RehearsedShop> {
  let tries = 0
  const ids = new Map<string, string>()
  const idFor = (cart: string) => {
    tries += 1
    const id = shop.makesNewIds ? `cart-${cart}-try-${tries}` : `cart-${cart}`
    ids.set(cart, id)
    return id
  }
  const order = (cart: string) =>
    client.payins.create({
      idPayin: idFor(cart),
      paymentRequested: { money: money('19.60', 'EUR') },
      paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
      callbackUrl,
    })
  const look = async (cart: string) => (await client.payins.retrieve(ids.get(cart) ?? '')).process?.status
  const server = createServer((request, response) => {
    request.resume()
    const cart = request.url?.split('/')[2] ?? ''
    const answer = request.method === 'POST' ? order(cart) : look(cart)
    answer.then(
      (found) => response.end(JSON.stringify({ status: typeof found === 'string' ? found : 'PENDING' })),
      (error: unknown) => response.writeHead(isGatewayError(error) ? 502 : 500).end('{}'),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}/orders/{n}`
  const shop: RehearsedShop = {
    act: `POST ${url}`,
    status: url,
    makesNewIds: false,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return shop
}
