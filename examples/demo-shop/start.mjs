// @ts-check
// npm run demo:shop: a sandbox, the shop in a process of its own, and both below a bar at /demo/ (port 4100 or SHOP_PORT).
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox } from 'merchant-gateway-sandbox'
import { barHandler } from './bar.mjs'
import { listen } from './http.mjs'

const { SHOP_PORT = '4100' } = process.env

const server = createServer()
const url = await listen(server, Number(SHOP_PORT)).catch((error) => {
  if (error.code !== 'EADDRINUSE') throw error
  const advice = 'end what listens there, or choose another port, as with SHOP_PORT=0 for a free one'
  console.error(`Port ${SHOP_PORT} is taken, so the demo has ended: ${advice}.`)
  process.exit(1)
})
const sandbox = createSandbox({ payAfterMs: 4_000, channelName: 'Harbour Tea' })
const { url: gatewayUrl } = await sandbox.listen({ page: true })
const { merchantCode, privateKey } = sandbox.clientOptions()
// The sandbox forgets its payments when it ends, so orders of this run are of no use to the next one.
const folder = mkdtempSync(join(tmpdir(), 'harbour-tea-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const env = {
  // What the shell says of another gateway is not meant here.
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GATEWAY_'))),
  GATEWAY_BASE_URL: gatewayUrl,
  GATEWAY_MERCHANT_CODE: merchantCode,
  GATEWAY_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  GATEWAY_LIVE: 'false',
  GATEWAY_CALLBACK_SECRET: randomBytes(32).toString('hex'),
  PORT: '0',
  // It has another port after each start, and callbacks find it by this one.
  PUBLIC_URL: url,
  SHOP_FOLDER: folder,
}
/** @type {import('./bar.mjs').Shop} */
const shop = { isByHand: false, url: undefined, child: startShop(false) }
let isEnding = false

/** It starts again after it has ended, as whatever runs a real shop sees to. @param {boolean} isByHand */
function startShop(isByHand) {
  const child = fork(new URL('server.mjs', import.meta.url), {
    env: { ...env, SHOP_BY_HAND: String(isByHand) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.once('message', (message) => {
    shop.url = String(message)
  })
  child.once('exit', () => {
    shop.url = undefined
    setTimeout(() => {
      if (!isEnding) shop.child = startShop(shop.isByHand)
    }, 1_500)
  })
  return child
}

server.on('request', barHandler({ sandbox, gatewayUrl, shop, folder }))
await once(shop.child, 'message')
console.log(`Both in one window:  ${url}/demo/`)
console.log(`The shop:            ${url}/`)
console.log(`The gateway's side:  ${gatewayUrl}/_sandbox/`)
console.log('Ctrl-C ends all of it.')

async function stop() {
  isEnding = true
  shop.child.kill()
  await sandbox.close()
  server.close()
  server.closeAllConnections()
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
