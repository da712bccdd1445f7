// The id is made from the order's number and the minute of the try.
import { db, gateway, price, serve } from '../harness/shop.mjs'

serve({
  async order(number) {
    if (db.get(number)?.state === 'open') return
    const id = `${number}-${Math.floor(Date.now() / 60_000)}`
    db.insert(number, { id, state: 'new', shipped: 0 })
    const status = await gateway.payin(id, number, price)
    if (status >= 300 && status !== 409) throw new Error('failed')
    db.update(number, { id, state: 'open' }, ({ state }) => state === 'new')
  },
})
