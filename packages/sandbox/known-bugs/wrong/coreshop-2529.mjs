// https://github.com/coreshop/CoreShop/issues/2529: an order that has expired stays cancelled, although it is paid late.
import { db, newId, right, serve } from '../harness/shop.mjs'

const HOUR_MS = 60 * 60 * 1000
const isCancelled = (cart) => {
  db.update(cart, { state: 'cancelled' }, ({ state, at }) => state === 'open' && Date.now() - at > HOUR_MS)
  return db.get(cart)?.state === 'cancelled'
}

serve({
  async order(cart) {
    db.insert(cart, { id: newId(), state: 'new', shipped: 0, at: Date.now() })
    await right.order(cart)
  },
  callback: async (cart) => (isCancelled(cart) ? undefined : right.callback(cart)),
  look: async (cart) => (isCancelled(cart) ? db.get(cart) : right.look(cart)),
})
