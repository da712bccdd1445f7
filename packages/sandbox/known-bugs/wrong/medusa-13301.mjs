// https://github.com/medusajs/medusa/issues/13301: the return of the customer and the callback both process the payment.
import { db, gateway, serve } from '../harness/shop.mjs'

async function process(cart) {
  const { id, state } = db.get(cart)
  if (state === 'paid') return
  const { status } = await gateway.look(id)
  if (status !== 'SUCCESS') return
  // Whoever has read "open" before delivers.
  db.update(cart, { state: 'paid', shipped: db.get(cart).shipped + 1 })
}

serve({
  callback: process,
  back: process,
  async look(cart) {
    if (db.get(cart) !== undefined) await process(cart)
    return db.get(cart)
  },
})
