// No callback: a loop looks at an order five times, a second apart, and then gives it up.
import { db, gateway, newId, price, right, serve, sleep } from '../harness/shop.mjs'

async function watch(number) {
  for (let look = 0; look < 5; look += 1) {
    await sleep(1000)
    await right.refresh(number).catch(() => {})
  }
}

serve({
  async order(number) {
    const row = db.insert(number, { id: newId(), state: 'new', shipped: 0 })
    if (row.state !== 'new') return
    const status = await gateway.payin(row.id, number, price, {})
    if (status >= 300 && status !== 409) throw new Error('failed')
    if (db.update(number, { state: 'open' }, ({ state }) => state === 'new')) void watch(number)
  },
  view: async (number) => db.get(number),
})
