// The client of this project: it looks a 409 up and compares it, and tries again by itself.
import { GatewayClient, isPaid, money } from 'merchant-gateway'
import { db, newId, price, right, serve, url } from '../harness/shop.mjs'

const client = GatewayClient.fromEnv()

async function refresh(number) {
  const row = db.get(number)
  if (row === undefined || row.state === 'paid') return
  const payin = await client.payins.retrieve(row.id)
  const { amount, currencyCode } = payin.paymentRequested?.money ?? {}
  const isWhole = Number(amount) === price.amount && currencyCode === price.currencyCode
  if (isPaid(payin) && isWhole) right.ship(number)
}

serve({
  async order(number) {
    const row = db.insert(number, { id: newId(), state: 'new', shipped: 0 })
    if (row.state !== 'new') return
    await client.payins.create({
      idPayin: row.id,
      paymentRequested: { money: money('19.90', 'EUR') },
      paymentMethod: { paymentMethodCode: 'VAPAY' },
      callbackUrl: `${url}/callback/${number}`,
      returnUrl: `${url}/return/${number}`,
    })
    db.update(number, { state: 'open' }, ({ state }) => state === 'new')
  },
  async callback(number) {
    if (db.get(number) === undefined) throw new Error('unknown')
    await refresh(number)
  },
  back: refresh,
  async view(number) {
    await refresh(number).catch(() => {})
    return db.get(number)
  },
})
