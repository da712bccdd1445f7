// Two workers over one outbox; one claims a row for a while, and both would send the same id.
import { db, newId, right, serve, sleep } from '../harness/shop.mjs'

const LEASE_MS = 2000
const isFree = ({ state, until = 0 }) => state === 'new' && until < Date.now()

async function worker() {
  for (;;) {
    for (const cart of db.keys()) {
      if (!db.update(cart, { until: Date.now() + LEASE_MS }, isFree)) continue
      await right.send(cart, db.get(cart)).catch(() => {})
    }
    await sleep(100)
  }
}

void worker()
void worker()
serve({ order: async (cart) => void db.insert(cart, { id: newId(), state: 'new', shipped: 0 }) })
