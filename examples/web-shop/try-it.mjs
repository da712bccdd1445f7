// @ts-check
// Tries the web shop out: the gateway, four processes, and their customers, all at once.
import { execFileSync } from 'node:child_process'
import cluster from 'node:cluster'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createSandbox } from 'merchant-gateway-sandbox'
import pg from 'pg'

const { DATABASE_URL = 'postgres://postgres@127.0.0.1:5432/postgres', SHOP_SCHEMA = 'web_shop' } = process.env
const database = new pg.Client(DATABASE_URL)
await database.connect()
await database.query(`CREATE SCHEMA ${SHOP_SCHEMA}`) // fails where a shop is already: the end drops it

const sandbox = createSandbox({ merchantCode: `example-${randomUUID()}`, payAfterMs: 500 })
const { url } = await sandbox.listen()
const { merchantCode, privateKey } = sandbox.clientOptions()
const closed = createServer().listen(0)
await once(closed, 'listening')
const address = closed.address()
const port = typeof address === 'object' ? address?.port : 0
await once(closed.close(), 'close')
// What this shell says of another gateway is not handed on.
for (const name of Object.keys(process.env)) if (name.startsWith('GATEWAY_')) delete process.env[name]
Object.assign(process.env, {
  GATEWAY_BASE_URL: url,
  GATEWAY_MERCHANT_CODE: merchantCode,
  GATEWAY_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  GATEWAY_LIVE: 'false',
  GATEWAY_CALLBACK_SECRET: randomBytes(32).toString('hex'),
})

const exec = fileURLToPath(new URL('../web-shop.mjs', import.meta.url))
execFileSync(process.execPath, [exec, 'migrate'])
cluster.setupPrimary({ exec, args: [] })
const workers = Array.from({ length: 4 }, () => cluster.fork({ PORT: String(port) }))
for (const worker of workers) worker.on('exit', (code) => code && process.exit(code))
await Promise.all(workers.map((worker) => once(worker, 'listening')))

/** Again, for as long as the shop says that it can't now. @param {string} path */
async function ask(path, method = 'GET') {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/orders/${path}`, { method })
    if (response.ok) return JSON.parse(await response.text())
  }
}
const carts = Array.from({ length: 4 }, () => randomUUID())
const orders = await Promise.all([...carts, ...carts].map((cart) => ask(cart, 'POST'))) // each clicks twice
console.log(`Orders answered with a reference: ${orders.filter(({ payTo }) => payTo).length} of 8`)
for (const cart of carts) while (!(await ask(cart)).paid) await pause(100)
await Promise.all([1, 2].map(() => ask(`${carts[0]}/refund`, 'POST')))
console.log(`Payins at the gateway: ${sandbox.payins.size}, refunds: ${sandbox.payouts.size}`)
const { rowCount } = await database.query(`SELECT FROM ${SHOP_SCHEMA}.shipments`)
console.log(`Shipments: ${rowCount}`)
const tooMany = sandbox.requests.filter(({ status }) => status === 429)
console.log(`Requests that were too many: ${tooMany.length}`)

for (const worker of workers) worker.process.kill()
await Promise.all(workers.map((worker) => once(worker, 'exit')))
await sandbox.close()
await database.query(`DROP SCHEMA ${SHOP_SCHEMA} CASCADE; DROP SCHEMA ${SHOP_SCHEMA}_queue CASCADE`)
await database.end()
