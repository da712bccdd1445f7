// @ts-check
// npm run demo:shop: the shop, a sandbox with its page, and both side by side in one window.
// SHOP_PORT, SANDBOX_PORT and DEMO_PORT choose other ports; 0 takes free ones.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatewayClient } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'
import { shopName } from './catalogue.mjs'
import { openBank } from './demo/bank.mjs'
import { openSideBySide } from './demo/side-by-side.mjs'
import { serveShop } from './routes.mjs'
import { openStorage } from './storage/open-storage.mjs'

const { DATABASE_URL } = process.env
const quarterHourMs = 15 * 60_000

/**
 * A port that is taken ends the demo with a sentence.
 * @template T
 * @param {'SHOP_PORT' | 'SANDBOX_PORT' | 'DEMO_PORT'} name
 * @param {string} usual
 * @param {(port: number) => Promise<T>} open
 */
async function atPort(name, usual, open) {
  const { [name]: port = usual } = process.env
  try {
    return await open(Number(port))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    console.error(
      `Port ${port} is taken, so the demo has ended: end what listens there, or choose another port, as with ${name}=0 for a free one.`,
    )
    process.exit(1)
  }
}

const sandbox = createSandbox({ settleAfterMs: false, expireAfterMs: quarterHourMs, channelName: shopName })
const gateway = await atPort('SANDBOX_PORT', '4101', (port) => sandbox.listen({ port, page: true }))
const bank = openBank(sandbox)
const both = await atPort('DEMO_PORT', '4102', (port) => openSideBySide({ port, gateway: gateway.url }))

// The sandbox forgets its payments when it ends, so orders of this run are of no use to the next one.
const folder = mkdtempSync(join(tmpdir(), 'harbour-tea-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
const table = `shop_orders_${randomUUID()}`
const storage = await openStorage({ databaseUrl: DATABASE_URL, table, folder })
const client = new GatewayClient({ ...sandbox.clientOptions(), timeoutMs: 10_000, deadlineMs: 30_000 })
const shop = await atPort('SHOP_PORT', '4100', (port) =>
  serveShop({
    client,
    storage,
    port,
    secrets: [randomBytes(32)],
    demo: { pay: bank.pay, gatewayPage: `${gateway.url}/_sandbox/`, framedBy: both.url },
  }),
)
both.show(shop.url)
console.log(`The shop:            ${shop.url}/`)
console.log(`The gateway's side:  ${gateway.url}/_sandbox/`)
console.log(`Both in one window:  ${both.url}/`)
console.log('Ctrl-C ends all of it.')

let isClosing = false
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    if (isClosing) return
    isClosing = true
    await both.close()
    await shop.close()
    await client.close()
    await storage.close()
    bank.close()
    await sandbox.close()
  })
}
