// A sweep of four seconds cancels what is older than an hour, and a cancelled order stays so when it is paid.
import { db, newId, right, serve, sleep } from '../harness/shop.mjs'

const HOUR_MS = 60 * 60 * 1000

async function sweep() {
  for (;;) {
    await sleep(4000)
    for (const number of db.keys()) {
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
    db.insert(number, { id: newId(), state: 'new', shipped: 0, at: Date.now() })
    await right.order(number)
  },
  callback: unlessCancelled,
  back: unlessCancelled,
  view: async (number) => db.get(number),
})
