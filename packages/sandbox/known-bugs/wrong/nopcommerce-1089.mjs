// https://github.com/nopSolutions/nopCommerce/issues/1089: a payment of five cents pays an order of 237.75.
import { db, gateway, right, serve } from '../harness/shop.mjs'

async function settle(cart) {
  const row = db.get(cart)
  if (row === undefined) return
  const { status } = await gateway.look(row.id)
  // The sum is not looked at.
  if (status === 'SUCCESS') right.ship(cart)
}

serve({
  callback: settle,
  back: settle,
  async look(cart) {
    await settle(cart)
    return db.get(cart)
  },
})
