// https://github.com/medusajs/medusa/issues/3146: completing the order overwrites what the callback has written before.
import { db, gateway, price, right, serve } from '../harness/shop.mjs'

serve({
  async order(number) {
    const row = db.insert(number, { id: crypto.randomUUID(), state: 'new', shipped: 0 })
    if (row.state !== 'new') return
    const status = await gateway.payin(row.id, number, price)
    if (status >= 300 && status !== 409) throw new Error('failed')
    // The row as it was read before the call.
    db.update(number, { ...row, state: 'open' })
  },
  callback: right.refresh,
  view: async (number) => db.get(number),
})
