// Whatever a status request says last becomes the order's: also PENDING, which was asked for before the payment.
import { db, gateway, isPaid, right, serve } from '../harness/shop.mjs'

async function refresh(number) {
  const { id, state } = db.get(number)
  if (state === 'paid') return
  const payin = await gateway.statusOf(id)
  if (isPaid(payin)) right.ship(number)
  else db.update(number, { state: 'open' })
}

serve({ callback: refresh, back: refresh, view: async (number) => db.get(number) })
