// @ts-check
// NestJS: one client for the application, the callback receiver beside it, and a clean end. A module of Nest is a
// plain description, so that nothing of Nest is imported here; in your own main.ts it is
//   const app = await NestFactory.create(GatewayModule); app.enableShutdownHooks()
//   app.use('/gateway/callbacks', app.get(CallbackReceiver).express())
import { randomBytes, randomUUID } from 'node:crypto'
import { GatewayClient, money, statusOf } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { createSandbox } from 'merchant-gateway-sandbox'

const sandbox = process.env.GATEWAY_BASE_URL
  ? undefined
  : createSandbox({ deliver: async () => ({ status: 204 }) })

/** What the application does with payins; Nest hands in the client, as @Injectable() would have it. */
class Checkout {
  /** @param {GatewayClient} client */
  constructor(client) {
    this.client = client
  }

  /** @param {string} orderId */
  pay(orderId) {
    return this.client.payins.create({
      idPayin: orderId,
      paymentRequested: { money: money('10.50', 'EUR') },
      paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
    })
  }
}

/** Ends what is under way before the process goes: Nest calls this hook of every provider that has it. */
class Shutdown {
  /**
   * @param {GatewayClient} client
   * @param {CallbackReceiver} callbacks
   */
  constructor(client, callbacks) {
    this.onApplicationShutdown = async () => {
      await callbacks.drain()
      await client.close()
    }
  }
}

const client = {
  provide: GatewayClient,
  // One for the process: it holds the connections, the tokens and the ten requests a second.
  useFactory: () => (sandbox ? new GatewayClient(sandbox.clientOptions()) : GatewayClient.fromEnv()),
}
const callbacks = {
  provide: CallbackReceiver,
  inject: [GatewayClient],
  useFactory: (/** @type {GatewayClient} */ client) =>
    new CallbackReceiver({
      client,
      // The address that the gateway sees: https, and the route of the callbacks.
      publicUrl: process.env.SHOP_CALLBACK_URL ?? 'http://127.0.0.1:3000/gateway/callbacks',
      // Keep it where your other secrets are, or set GATEWAY_CALLBACK_SECRET.
      secrets: [randomBytes(32)],
      onPayin: (payin, { idPayin }) => console.log(`${idPayin} is ${statusOf(payin)}`),
    }),
}
const checkout = {
  provide: Checkout,
  inject: [GatewayClient],
  useFactory: (/** @type {GatewayClient} */ client) => new Checkout(client),
}
const shutdown = {
  provide: Shutdown,
  inject: [GatewayClient, CallbackReceiver],
  useFactory: (/** @type {GatewayClient} */ client, /** @type {CallbackReceiver} */ callbacks) =>
    new Shutdown(client, callbacks),
}

/** What @Module({ global: true, providers, exports }) says; `imports: [gatewayModule]` takes it as it is. */
export const gatewayModule = {
  module: class GatewayModule {},
  global: true,
  providers: [client, callbacks, checkout, shutdown],
  exports: [GatewayClient, CallbackReceiver, Checkout],
}

// From here on it stands in for Nest, so that the example runs: it makes each provider once, by what it injects.
/** @type {Map<unknown, any>} */
const made = new Map()
for (const provider of gatewayModule.providers) {
  const needs = ('inject' in provider ? provider.inject : []).map((one) => made.get(one))
  made.set(provider.provide, /** @type {(...needs: unknown[]) => unknown} */ (provider.useFactory)(...needs))
}
const payin = await made.get(Checkout).pay(randomUUID())
console.log(`Please pay ${payin.paymentMethodResponse?.money?.amount} EUR.`)
await made.get(Shutdown).onApplicationShutdown()
await sandbox?.close()
console.log('Ended: nothing is under way.')
