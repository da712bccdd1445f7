// Callbacks are believed to wake somebody up only: what is open is looked at in a sweep every four seconds.
import { db, right, serve, sleep } from '../harness/shop.mjs'

async function sweep() {
  for (;;) {
    await sleep(4000)
    await Promise.allSettled(
      db
        .keys()
        .filter((key) => db.get(key).state === 'open')
        .map(right.refresh),
    )
  }
}

void sweep()
serve({ callback: async () => {}, back: async () => {}, view: async (number) => db.get(number) })
