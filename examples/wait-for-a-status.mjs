// @ts-check
// Follows a payin until it is final. A callback makes the client look at once; without one it polls.
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { GatewayClient, idOf, isGatewayError, money, statusOf } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { createSandbox } from 'merchant-gateway-sandbox'

const sandbox = process.env.GATEWAY_BASE_URL ? undefined : createSandbox({ payAfterMs: 1000 })
const client = sandbox ? new GatewayClient(sandbox.clientOptions()) : GatewayClient.fromEnv()

const server = createServer()
await once(server.listen(0, '127.0.0.1'), 'listening')
const address = server.address()
const port = typeof address === 'object' && address ? address.port : 0

// Checks each callback, looks the payment up, and hands it to whoever waits for it.
const callbacks = new CallbackReceiver({
  client,
  publicUrl: `http://127.0.0.1:${port}/gateway/callbacks`,
  secrets: [randomBytes(32)], // in production from your secret store, the same in every process
  onPayin: () => undefined, // in production: store the status
})
server.on('request', callbacks.node())

try {
  const idPayin = randomUUID()
  await client.payins.create({
    idPayin,
    paymentRequested: { money: money('10.50', 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
  })
  for await (const payin of client.payins.watch(idPayin, { maxWaitMs: 10_000 })) {
    console.log(`Watching: ${statusOf(payin)}`)
  }
  const payin = await client.payins.waitFor(idPayin, { maxWaitMs: 10_000 })
  // The gateway need not show the id of a payin that is looked up; the client knows it.
  console.log(`Final: ${idOf(payin)} is ${statusOf(payin)}`)
} catch (error) {
  if (!isGatewayError(error) || error.code !== 'wait_timeout') throw error
  // Not a failure: the customer may still pay. Look again later.
  console.log(error.message)
} finally {
  await callbacks.drain()
  server.closeAllConnections()
  server.close()
  await client.close()
  await sandbox?.close()
}
