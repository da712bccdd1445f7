// An outbox sends what is stored. A sweep of four seconds cancels what was sent more than an hour ago, and a cancelled
// order stays so when it is paid.
import { db, newId, right, serve, sleep } from '../harness/shop.mjs'

const HOUR_MS = 60 * 60 * 1000

async function send(number) {
  const row = db.get(number)
  if (row.state !== 'new') return
  await right.send(number, row)
  // As in a system that writes what it has heard in batches.
  await sleep(200)
  db.update(number, { at: Date.now() })
}

async function sweep() {
  for (;;) {
    await sleep(4000)
    for (const number of db.keys()) {
      await send(number).catch(() => {})
      db.update(
        number,
        { state: 'cancelled' },
        ({ state, at }) => state === 'open' && Date.now() - at > HOUR_MS,
      )
    }
  }
}

const unlessCancelled = async (number) => {
  if (db.get(number)?.state !== 'cancelled') await right.refresh(number)
}

void sweep()
serve({
  async order(number) {
    db.insert(number, { id: newId(), state: 'new', shipped: 0 })
    void send(number).catch(() => {})
  },
  callback: unlessCancelled,
  back: unlessCancelled,
  view: async (number) => db.get(number),
})
