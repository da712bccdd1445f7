// https://github.com/medusajs/medusa/issues/3146: completing the order overwrites what the callback has written before.
import { db, gateway, price, right, serve } from '../harness/shop.mjs'

serve({
  async order(cart) {
    const row = db.insert(cart, { id: crypto.randomUUID(), state: 'new', shipped: 0 })
    if (row.state !== 'new') return
    const status = await gateway.payin(row.id, cart, price)
    if (status >= 300 && status !== 409) throw new Error('failed')
    // The row as it was read before the call.
    db.update(cart, { ...row, state: 'open' })
  },
  callback: right.settle,
  look: async (cart) => db.get(cart),
})
