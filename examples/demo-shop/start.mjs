// @ts-check
// npm run demo:shop: the shop at port 4100 or SHOP_PORT, a sandbox with its page, and both side by side in one window.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatewayClient } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'
import { shopName } from './checkout.mjs'
import { sideBySide } from './side-by-side.mjs'
import { openStorage } from './storage.mjs'
import { serveShop } from './web.mjs'

const { SHOP_PORT = '4100' } = process.env
const quarterHourMs = 15 * 60_000
const transferMs = 2_500
/** A refund of this amount bounces. */
const bounces = 4.01

const sandbox = createSandbox({ payAfterMs: false, expireAfterMs: quarterHourMs, channelName: shopName })
const gateway = await sandbox.listen({ page: true })

// The customer's bank takes a moment for a transfer. Whoever sets its status on the sandbox's page meanwhile is faster.
const bank = setInterval(() => {
  for (const payout of sandbox.payouts.list()) {
    const isDue = sandbox.clock.now() - Date.parse(payout.createdAt) >= transferMs
    if (payout.processedAt !== undefined || !isDue) continue
    payout.setStatus(payout.money.amount === bounces ? 'FAILED' : 'SUCCESS')
  }
}, 250)

// The sandbox forgets its payments when it ends, so orders of this run are of no use to the next one.
const folder = mkdtempSync(join(tmpdir(), 'harbour-tea-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.env.GATEWAY_CALLBACK_SECRET ??= randomBytes(32).toString('hex')
const client = new GatewayClient({ ...sandbox.clientOptions(), timeoutMs: 10_000, deadlineMs: 30_000 })
const shop = await serveShop({
  client,
  storage: openStorage(folder),
  port: Number(SHOP_PORT),
  demo: {
    pay: (idPayin) => sandbox.payins.find(idPayin)?.pay(),
    answers: sideBySide(gateway.url),
  },
}).catch((error) => {
  if (error.code !== 'EADDRINUSE') throw error
  console.error(
    `Port ${SHOP_PORT} is taken, so the demo has ended: end what listens there, or choose another port, as with SHOP_PORT=0 for a free one.`,
  )
  process.exit(1)
})
console.log(`The shop:            ${shop.url}/`)
console.log(`The gateway's side:  ${gateway.url}/_sandbox/`)
console.log(`Both in one window:  ${shop.url}/both`)
console.log('Ctrl-C ends all of it.')

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    clearInterval(bank)
    await shop.close()
    await client.close()
    await sandbox.close()
  })
}
