// The order is answered at once, and a loop sends what is stored.
import { db, newId, right, serve, sleep } from '../harness/shop.mjs'

async function loop() {
  for (;;) {
    const cart = db.keys().filter((key) => db.get(key).state === 'new')
    await Promise.allSettled(cart.map((key) => right.send(key, db.get(key))))
    await sleep(150)
  }
}

void loop()
serve({ order: async (cart) => void db.insert(cart, { id: newId(), state: 'new', shipped: 0 }) })
