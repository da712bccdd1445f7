// What is older than an hour expires in a sweep that asks nobody: also what was paid, and whose callback was lost.
import { db, newId, right, serve, sleep } from '../harness/shop.mjs'

const HOUR_MS = 60 * 60 * 1000
const isOpen = ({ state }) => state === 'open'

async function sweep() {
  for (;;) {
    for (const number of db.keys()) {
      db.update(number, { state: 'expired' }, (row) => isOpen(row) && Date.now() - row.at > HOUR_MS)
      if (isOpen(db.get(number))) await right.refresh(number).catch(() => {})
    }
    await sleep(1000)
  }
}

void sweep()
serve({
  async order(number) {
    db.insert(number, { id: newId(), state: 'new', shipped: 0, at: Date.now() })
    await right.order(number)
  },
  view: async (number) => db.get(number),
})
