// A refund is stored and answered at once, and a loop sends it.
import { db, gateway, newId, price, serve, sleep } from '../harness/shop.mjs'

async function loop() {
  for (;;) {
    for (const number of db.keys()) {
      const { refund, isSent } = db.get(number)
      if (refund === undefined || isSent) continue
      const status = await gateway.payout(refund, price).catch(() => 0)
      if ([200, 201, 409].includes(status)) db.update(number, { isSent: true })
    }
    await sleep(200)
  }
}

void loop()
serve({
  refund: async (number) => void db.update(number, { refund: newId() }, ({ refund }) => refund === undefined),
})
