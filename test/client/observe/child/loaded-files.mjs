// A payout with the built package: which of the files that are loaded later were needed?
// node loaded-files.mjs URL [listen | log]
import { createRequire } from 'node:module'
import { basename } from 'node:path'

const require = createRequire(import.meta.url)
const { GatewayClient, onGatewayEvent } = require('merchant-gateway')
const [, , url, watcher] = process.argv
const ignore = () => {}
if (watcher === 'listen') onGatewayEvent('merchant-gateway:call:end', ignore)
const client = new GatewayClient({
  baseUrl: url,
  merchantCode: 'M-0001',
  signer: { sign: async () => new Uint8Array([1]) },
  ...(watcher === 'log' ? { logger: { debug: ignore, info: ignore, warn: ignore, error: ignore } } : {}),
})
await client.payouts.create({
  idPayout: 'order-1',
  paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'X' },
})
await client.close()
const files = Object.keys(require.cache).map((file) => basename(file))
console.log(
  JSON.stringify(files.filter((file) => /^(?:index|watching|.*-transport)\.cjs$/.test(file)).sort()),
)
