// The client of this project: it looks a 409 up and compares it, and tries again by itself.
import { GatewayClient, isPaid, money } from '../../../dist/index.js'
import { db, newId, price, right, serve, url } from '../harness/shop.mjs'

const client = GatewayClient.fromEnv()

async function settle(cart) {
  const row = db.get(cart)
  if (row === undefined || row.state === 'paid') return
  const payin = await client.payins.retrieve(row.id)
  const { amount } = payin.paymentRequested?.money ?? {}
  if (isPaid(payin) && Number(amount) === price.amount) right.ship(cart)
}

serve({
  async order(cart) {
    const row = db.insert(cart, { id: newId(), state: 'new', shipped: 0 })
    if (row.state !== 'new') return
    await client.payins.create({
      idPayin: row.id,
      paymentRequested: { money: money('19.90', 'EUR') },
      paymentMethod: { paymentMethodCode: 'VAPAY' },
      callbackUrl: `${url}/callback/${cart}`,
      returnUrl: `${url}/return/${cart}`,
    })
    db.update(cart, { state: 'open' }, ({ state }) => state === 'new')
  },
  async callback(cart) {
    if (db.get(cart) === undefined) throw new Error('unknown')
    await settle(cart)
  },
  back: settle,
  async look(cart) {
    await settle(cart).catch(() => {})
    return db.get(cart)
  },
})
