// https://github.com/medusajs/medusa/issues/13301: the return of the customer and the callback both process the payment.
import { db, gateway, serve } from '../harness/shop.mjs'

async function process(number) {
  const { id, state } = db.get(number)
  if (state === 'paid') return
  const { status } = await gateway.statusOf(id)
  if (status !== 'SUCCESS') return
  // Whoever has read "open" before delivers.
  db.update(number, { state: 'paid', shipped: db.get(number).shipped + 1 })
}

serve({
  callback: process,
  back: process,
  async view(number) {
    if (db.get(number) !== undefined) await process(number)
    return db.get(number)
  },
})
