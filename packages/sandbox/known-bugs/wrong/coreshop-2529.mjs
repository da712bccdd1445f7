// https://github.com/coreshop/CoreShop/issues/2529: an order that has expired stays cancelled, although it is paid late.
import { db, newId, right, serve } from '../harness/shop.mjs'

const HOUR_MS = 60 * 60 * 1000
const isCancelled = (number) => {
  db.update(number, { state: 'cancelled' }, ({ state, at }) => state === 'open' && Date.now() - at > HOUR_MS)
  return db.get(number)?.state === 'cancelled'
}

serve({
  async order(number) {
    db.insert(number, { id: newId(), state: 'new', shipped: 0, at: Date.now() })
    await right.order(number)
  },
  callback: async (number) => (isCancelled(number) ? undefined : right.callback(number)),
  view: async (number) => (isCancelled(number) ? db.get(number) : right.view(number)),
})
