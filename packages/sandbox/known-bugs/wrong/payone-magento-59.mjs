// https://github.com/PAYONE-GmbH/magento-1/issues/59: what is being processed is marked "running" first, and stays so
// for ever when the process ends.
import { db, newId, right, serve, sleep } from '../harness/shop.mjs'

async function worker() {
  for (;;) {
    for (const number of db.keys()) {
      if (!db.update(number, { state: 'running' }, ({ state }) => state === 'new')) continue
      await right.send(number, db.get(number)).then(
        () => db.update(number, { state: 'open' }, ({ state }) => state === 'running'),
        () => db.update(number, { state: 'new' }),
      )
    }
    await sleep(100)
  }
}

void worker()
serve({ order: async (number) => void db.insert(number, { id: newId(), state: 'new', shipped: 0 }) })
