// A shop that does nothing of its own while its clock is later, as one whose timers libfaketime has stopped. With
// SHOP_ASKS=1 it asks the gateway meanwhile, and believes nothing of it. Not to be copied.
import { db, gateway, right, serve } from '../../../../known-bugs/harness/shop.mjs'

const isLater = process.env.FAKETIME !== undefined

serve({
  callback: async (number) => (isLater ? undefined : right.callback(number)),
  async view(number) {
    if (!isLater) return right.view(number)
    const order = db.get(number)
    if (process.env.SHOP_ASKS === '1') await gateway.statusOf(order.id)
    return order
  },
})
