// https://github.com/woocommerce/woocommerce-gateway-stripe/issues/5691: the callback is answered 2xx, and the order is
// never updated: what failed behind it is nobody's.
import { db, right, serve } from '../harness/shop.mjs'

serve({
  callback: async (number) => {
    right.refresh(number).catch(() => {})
  },
  view: async (number) => db.get(number),
})
