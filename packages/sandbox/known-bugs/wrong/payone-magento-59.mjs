// https://github.com/PAYONE-GmbH/magento-1/issues/59: what is being processed is marked "running" first, and stays so
// for ever when the process ends.
import { db, newId, right, serve, sleep } from '../harness/shop.mjs'

async function worker() {
  for (;;) {
    for (const cart of db.keys()) {
      if (!db.update(cart, { state: 'running' }, ({ state }) => state === 'new')) continue
      await right.send(cart, db.get(cart)).then(
        () => db.update(cart, { state: 'open' }, ({ state }) => state === 'running'),
        () => db.update(cart, { state: 'new' }),
      )
    }
    await sleep(100)
  }
}

void worker()
serve({ order: async (cart) => void db.insert(cart, { id: newId(), state: 'new', shipped: 0 }) })
