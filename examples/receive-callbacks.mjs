// @ts-check
// Receives the gateway's callbacks: mounts the receiver, creates a payin, and is called when it is paid.
import { randomBytes, randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { GatewayClient, money, statusOf } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { createSandbox } from 'merchant-gateway-sandbox'

const sandbox = process.env.GATEWAY_BASE_URL ? undefined : createSandbox({ payAfterMs: 200 })
const client = sandbox ? new GatewayClient(sandbox.clientOptions()) : GatewayClient.fromEnv()

const server = createServer()
await once(server.listen(0, '127.0.0.1'), 'listening')
const address = server.address()
const port = typeof address === 'object' && address ? address.port : 0

/** @type {Map<string, string | undefined>} */
const orders = new Map()
const told = new EventEmitter()

const callbacks = new CallbackReceiver({
  client,
  // Behind a proxy: the address that the gateway sees.
  publicUrl: `http://127.0.0.1:${port}/gateway/callbacks`,
  // Keep it where your other secrets are, or set GATEWAY_CALLBACK_SECRET.
  secrets: [randomBytes(32)],
  onPayin(payin, { idPayin }) {
    // Rejecting makes the gateway call again: nothing is lost when the order isn't stored yet.
    if (!orders.has(idPayin)) throw new Error('no such order')
    orders.set(idPayin, statusOf(payin))
    console.log(`Callback: the payin is ${statusOf(payin)}.`)
    told.emit(statusOf(payin) ?? 'without a status')
  },
})
server.on('request', callbacks.node())

try {
  const idPayin = randomUUID()
  orders.set(idPayin, 'NEW')
  const success = once(told, 'SUCCESS', { signal: AbortSignal.timeout(30_000) })
  // Without a callbackUrl of your own, the payin gets the receiver's.
  await client.payins.create({
    idPayin,
    paymentRequested: { money: money('10.50', 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
  })
  const paid = await client.payins.waitFor(idPayin, { maxWaitMs: 30_000 })
  console.log(`Waited: the payin is ${statusOf(paid)}.`)
  await success

  // Anybody may send anything; what isn't signed is answered 404, and nobody is asked.
  const forged = await fetch(`http://127.0.0.1:${port}/gateway/callbacks/${idPayin}`, { method: 'POST' })
  console.log(`A forged callback is answered ${forged.status}.`)
} finally {
  await callbacks.drain()
  server.closeAllConnections()
  server.close()
  await client.close()
  await sandbox?.close()
}
const { succeeded, failed, refused } = callbacks.counts
console.log(`Callbacks: ${succeeded > 0 ? 'some' : 'none'} succeeded, ${failed} failed, ${refused} refused.`)
