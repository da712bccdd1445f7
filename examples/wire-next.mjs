// @ts-check
// Next.js: one client for the server, a server action that takes a payin, and the route of the callbacks.
// The three parts go into lib/gateway.ts, app/checkout/actions.ts and app/gateway/callbacks/[segment]/route.ts.
import { randomBytes, randomUUID } from 'node:crypto'
import { GatewayClient, money, statusOf } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { createSandbox } from 'merchant-gateway-sandbox'

const sandbox = process.env.GATEWAY_BASE_URL
  ? undefined
  : createSandbox({ payAfterMs: 100, deliver: async () => ({ status: 204 }) })

// --- lib/gateway.ts, with `import 'server-only'` at its top -------------------------------------------------

/** @typedef {{ client: GatewayClient, callbacks: CallbackReceiver }} Gateway */

/**
 * Next loads modules anew while you develop, and in a bundle of its own for each route: what is kept on
 * globalThis is there once for each process, and so is its limit of ten requests a second.
 *
 * @returns {Gateway}
 */
export function gateway() {
  const kept = /** @type {{ merchantGateway?: Gateway }} */ (globalThis)
  kept.merchantGateway ??= makeGateway()
  return kept.merchantGateway
}

/** @returns {Gateway} */
function makeGateway() {
  const client = sandbox ? new GatewayClient(sandbox.clientOptions()) : GatewayClient.fromEnv()
  const callbacks = new CallbackReceiver({
    client,
    // The address that the gateway sees: https, and the route of the callbacks.
    publicUrl: process.env.SHOP_CALLBACK_URL ?? 'http://127.0.0.1:3000/gateway/callbacks',
    // Keep it where your other secrets are, or set GATEWAY_CALLBACK_SECRET.
    secrets: [randomBytes(32)],
    onPayin: (payin) => console.log(`Callback: the payin is ${statusOf(payin)}.`),
  })
  return { client, callbacks }
}

// --- app/checkout/actions.ts, with 'use server' at its top --------------------------------------------------

/**
 * The id is your order's: a form that is sent twice takes one payin.
 *
 * @param {string} orderId
 */
export async function pay(orderId) {
  const payin = await gateway().client.payins.create({
    idPayin: orderId,
    paymentRequested: { money: money('10.50', 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
  })
  return { replayed: payin.replayed }
}

// --- app/gateway/callbacks/[segment]/route.ts, with `export const runtime = 'nodejs'` -----------------------

/** @param {Request} request */
export async function POST(request) {
  return gateway().callbacks.fetch(request)
}

// From here on it stands in for Next: a form that is sent twice, and the gateway's callback.
const orderId = randomUUID()
console.log(`First: replayed ${(await pay(orderId)).replayed}`)
console.log(`Again: replayed ${(await pay(orderId)).replayed}`)
const { client, callbacks } = gateway()
await client.payins.waitFor(orderId, { maxWaitMs: 30_000 })
const answer = await POST(new Request(callbacks.urlFor({ idPayin: orderId }), { method: 'POST' }))
console.log(`The callback is answered ${answer.status}.`)
await callbacks.drain()
await client.close()
await sandbox?.close()
