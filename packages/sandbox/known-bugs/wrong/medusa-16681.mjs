// https://github.com/medusajs/medusa/issues/16681: a refund that fails is deleted with its key, and tried with another.
import { db, gateway, newId, price, serve } from '../harness/shop.mjs'

serve({
  async refund(number) {
    const refund = db.get(number).refund ?? newId()
    db.update(number, { refund })
    try {
      const status = await gateway.payout(refund, price)
      if (status >= 300 && status !== 409) throw new Error('failed')
    } catch (error) {
      // A lost response is no failure.
      db.update(number, { refund: undefined })
      throw error
    }
  },
})
