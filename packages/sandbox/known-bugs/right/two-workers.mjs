// Two workers over one outbox; one claims a row for a while, and both would send the same id.
import { db, newId, right, serve, sleep } from '../harness/shop.mjs'

const LEASE_MS = 2000
const isFree = ({ state, until = 0 }) => state === 'new' && until < Date.now()

async function worker() {
  for (;;) {
    for (const number of db.keys()) {
      if (!db.update(number, { until: Date.now() + LEASE_MS }, isFree)) continue
      await right.send(number, db.get(number)).catch(() => {})
    }
    await sleep(100)
  }
}

void worker()
void worker()
serve({ order: async (number) => void db.insert(number, { id: newId(), state: 'new', shipped: 0 }) })
