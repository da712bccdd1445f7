// @ts-check
// The shop as a merchant runs it: node examples/demo-shop/server.mjs, with GATEWAY_BASE_URL and the other GATEWAY_*
// variables, GATEWAY_LIVE=true (false at a test gateway), and GATEWAY_CALLBACK_SECRET (openssl rand -hex 32). Orders are
// in the folder SHOP_FOLDER. PORT and PUBLIC_URL say where the shop is.
import { GatewayClient } from 'merchant-gateway'
import { openStorage } from './storage.mjs'
import { serveShop } from './web.mjs'

const { PORT = '4100', PUBLIC_URL, SHOP_FOLDER = 'shop-orders', GATEWAY_LIVE } = process.env

// Without it a test payment would count as paid, and the shop would ship for nothing.
if (!GATEWAY_LIVE) {
  console.error(
    'The shop ships what is paid, so it does not start before GATEWAY_LIVE says what counts: true for real money only, false at a test gateway.',
  )
  process.exit(1)
}

const storage = openStorage(SHOP_FOLDER)
// The outbox tries again by itself, so a single try need not be patient.
const client = GatewayClient.fromEnv({ timeoutMs: 10_000, deadlineMs: 30_000 })
const shop = await serveShop({ client, storage, port: Number(PORT), publicUrl: PUBLIC_URL })
console.log(`The shop: ${shop.url}/`)

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await shop.close()
    await client.close()
  })
}
