// https://github.com/Adyen/adyen-commercetools/issues/1305: the key is a hash of the request, which has a time in it.
import { createHash } from 'node:crypto'
import { db, gateway, price, serve } from '../harness/shop.mjs'

serve({
  async order(number) {
    if (db.get(number)?.state === 'open') return
    const request = { number, price, createdAt: Date.now() }
    const id = createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 32)
    db.insert(number, { id, state: 'new', shipped: 0 })
    db.update(number, { id })
    const status = await gateway.payin(id, number, price)
    if (status >= 300 && status !== 409) throw new Error('failed')
    db.update(number, { state: 'open' }, ({ state }) => state === 'new')
  },
})
