// No callback at all: whoever looks at the order asks the gateway, and a loop does.
import { db, gateway, newId, price, right, serve, sleep } from '../harness/shop.mjs'

async function loop() {
  for (;;) {
    const open = db.keys().filter((key) => db.get(key).state === 'open')
    for (const cart of open.slice(-5)) await right.settle(cart).catch(() => {})
    await sleep(1000)
  }
}

void loop()
serve({
  async order(cart) {
    const row = db.insert(cart, { id: newId(), state: 'new', shipped: 0 })
    if (row.state !== 'new') return
    const status = await gateway.payin(row.id, cart, price, {})
    if (status >= 300 && status !== 409) throw new Error('failed')
    db.update(cart, { state: 'open' }, ({ state }) => state === 'new')
  },
  look: async (cart) => db.get(cart),
})
