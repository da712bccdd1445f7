// https://github.com/spree/spree/issues/8540: payments are processed later by workers, and two of them process one.
import { db, gateway, newId, price, right, serve, sleep } from '../harness/shop.mjs'

async function worker(startsAfterMs) {
  await sleep(startsAfterMs)
  for (;;) {
    for (const number of db.keys().filter((key) => db.get(key).state === 'new')) {
      // Nobody claims it, and each worker makes a transaction of its own.
      const id = newId()
      const status = await gateway.payin(id, number, price).catch(() => 0)
      if (status === 200 || status === 201) db.update(number, { id, state: 'open' })
    }
    await sleep(1000)
  }
}

void worker(0)
void worker(500)
serve({
  order: async (number) => void db.insert(number, { state: 'new', shipped: 0 }),
  refresh: right.refresh,
})
