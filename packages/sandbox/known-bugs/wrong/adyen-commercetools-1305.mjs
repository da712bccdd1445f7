// https://github.com/Adyen/adyen-commercetools/issues/1305: the key is a hash of the request, which has a time in it.
import { createHash } from 'node:crypto'
import { db, gateway, price, serve } from '../harness/shop.mjs'

serve({
  async order(cart) {
    if (db.get(cart)?.state === 'open') return
    const request = { cart, price, createdAt: Date.now() }
    const id = createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 32)
    db.insert(cart, { id, state: 'new', shipped: 0 })
    db.update(cart, { id })
    const status = await gateway.payin(id, cart, price)
    if (status >= 300 && status !== 409) throw new Error('failed')
    db.update(cart, { state: 'open' }, ({ state }) => state === 'new')
  },
})
