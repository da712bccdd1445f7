// A job runs every 20 seconds and does everything: it sends what is stored, and asks for the status of what is open.
import { db, newId, right, serve, sleep } from '../harness/shop.mjs'

async function cron() {
  for (;;) {
    for (const number of db.keys()) {
      const row = db.get(number)
      if (row.state === 'new') await right.send(number, row).catch(() => {})
      else await right.refresh(number).catch(() => {})
    }
    await sleep(20_000)
  }
}

void cron()
serve({
  order: async (number) => void db.insert(number, { id: newId(), state: 'new', shipped: 0 }),
  callback: async () => {},
  back: async () => {},
  view: async (number) => db.get(number),
})
