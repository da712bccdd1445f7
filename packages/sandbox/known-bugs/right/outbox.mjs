// The order is answered at once, and a loop sends what is stored.
import { db, newId, right, serve, sleep } from '../harness/shop.mjs'

async function loop() {
  for (;;) {
    const keys = db.keys().filter((key) => db.get(key).state === 'new')
    await Promise.allSettled(keys.map((key) => right.send(key, db.get(key))))
    await sleep(150)
  }
}

void loop()
serve({ order: async (number) => void db.insert(number, { id: newId(), state: 'new', shipped: 0 }) })
