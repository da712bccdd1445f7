// https://github.com/nopSolutions/nopCommerce/issues/1089: a payment of five cents pays an order of 237.75.
import { db, gateway, right, serve } from '../harness/shop.mjs'

async function refresh(number) {
  const row = db.get(number)
  if (row === undefined) return
  const { status } = await gateway.statusOf(row.id)
  // The sum is not looked at.
  if (status === 'SUCCESS') right.ship(number)
}

serve({
  callback: refresh,
  back: refresh,
  async view(number) {
    await refresh(number)
    return db.get(number)
  },
})
