// @ts-check
// npm run demo: four orders, three of them with an accident, and each is paid once. This process is the gateway (a
// sandbox) and knows the orders. demo/merchant.mjs is the merchant, in a process of its own that can be killed.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createSandbox } from 'merchant-gateway-sandbox'

/** @typedef {import('node:child_process').ChildProcess} Process */

const merchantFile = fileURLToPath(new URL('demo/merchant.mjs', import.meta.url))
const longestMs = 60_000

const sandbox = createSandbox({ payAfterMs: false })
const { url } = await sandbox.listen()
const { merchantCode, privateKey } = sandbox.clientOptions()
// What the shell says of another gateway is not meant here.
const others = Object.keys(process.env).filter((name) => name.startsWith('GATEWAY_'))
const env = {
  ...process.env,
  ...Object.fromEntries(others.map((name) => [name, undefined])),
  GATEWAY_BASE_URL: url,
  GATEWAY_MERCHANT_CODE: merchantCode,
  GATEWAY_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  GATEWAY_LIVE: 'false',
  GATEWAY_CALLBACK_SECRET: randomBytes(32).toString('hex'),
}
/** @type {Set<string>} */
const orders = new Set()

/** Ends with this process, and at the latest after `longestMs`. */
function startMerchant() {
  return fork(merchantFile, { env, timeout: longestMs, killSignal: 'SIGKILL' })
}

/**
 * The order has its id before the merchant sends anything.
 *
 * @param {Process} merchant @param {'payin' | 'payout' | 'shipments'} what @param {string} id
 */
async function ask(merchant, what, id) {
  orders.add(id)
  merchant.send({ what, id })
  const [text] = await Promise.race([
    once(merchant, 'message'),
    once(merchant, 'exit').then(([code]) => Promise.reject(new Error(`The merchant ended with ${code}.`))),
  ])
  return String(text)
}

/** @param {Process} merchant @param {string} id */
async function payin(merchant, id) {
  console.log(`  The payin is ${await ask(merchant, 'payin', id)}. The customer pays.`)
  sandbox.payins.get(id).pay()
  await sandbox.idle() // the merchant has answered all callbacks
  const callbacks = sandbox.callbacks.filter((one) => one.id === id && one.paymentStatus === 'SUCCESS').length
  console.log(`  Callbacks: ${callbacks}. Shipments: ${await ask(merchant, 'shipments', id)}.`)
}

console.log('A sandbox plays the gateway, and no money moves. Each order has its id before anything is sent.')

console.log('\nOrder 1: a customer pays.')
const first = startMerchant()
await payin(first, 'order-1')

console.log('\nOrder 2: the response to a payout is lost, and the process is killed.')
/** @type {Promise<void>} */
const accepted = new Promise((resolve) => {
  sandbox.fault({
    route: 'POST /payouts/{idPayout}',
    action: { kind: 'delay', ms: longestMs },
    // The gateway has the payout by now. It holds the response until the process is gone.
    until() {
      resolve()
      return once(first, 'exit')
    },
  })
})
const response = ask(first, 'payout', 'order-2').catch(() => 'lost')
await accepted
first.kill('SIGKILL')
console.log(
  `  First process: the gateway has the payout, the response is ${await response} (${first.signalCode}).`,
)
const second = startMerchant()
console.log(`  Second process, same id: the payout is ${await ask(second, 'payout', 'order-2')}.`)
console.log(`  Payouts at the gateway: ${sandbox.payouts.size}.`)

console.log('\nOrder 3: the callback comes twice.')
const isPaid = (/** @type {{ id: string }} */ { id }) => sandbox.payins.get(id).status === 'SUCCESS'
sandbox.callbackFault({ kind: 'payin', match: isPaid, action: { kind: 'twice' } })
await payin(second, 'order-3')

console.log('\nOrder 4: two processes send the same payout at the same moment.')
const third = startMerchant()
const both = await Promise.all([second, third].map((merchant) => ask(merchant, 'payout', 'order-4')))
console.log(`  In one process it is ${both.sort().join(', and in the other ')}.`)

for (const payout of sandbox.payouts.list()) payout.pay()
await sandbox.idle()
for (const merchant of [second, third]) merchant.disconnect()
const payments = [...sandbox.payins.list(), ...sandbox.payouts.list()]
await sandbox.close()
console.log(`\n${orders.size} orders, ${payments.length} payments`)
process.exitCode = orders.size === payments.length ? 0 : 1
