// @ts-check
// Tests code of yours that uses the client: msw catches its requests, and the sandbox answers them.
import assert from 'node:assert/strict'
import { GatewayClient, money, statusOf } from 'merchant-gateway'
import { createSandbox } from 'merchant-gateway-sandbox'
import { http } from 'msw'
import { setupServer } from 'msw/node'

/** Code under test. @param {GatewayClient} client @param {{ id: string, total: string }} order */
async function startPayment(client, order) {
  const payin = await client.payins.create({
    idPayin: order.id,
    paymentRequested: { money: money(order.total, 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
  })
  return payin.paymentMethodResponse?.reference
}

/** Code under test. @param {GatewayClient} client @param {string} id */
async function isPaid(client, id) {
  return statusOf(await client.payins.retrieve(id)) === 'SUCCESS'
}

const sandbox = createSandbox({ payAfterMs: false })
const server = setupServer(http.all('https://gateway.example/*', ({ request }) => sandbox.fetch(request)))
server.listen({ onUnhandledRequest: 'error' })

// msw sees fetch and not undici's own calls, so the client is given fetch: after listen, which replaces it.
const { merchantCode, privateKey } = sandbox.clientOptions()
const baseUrl = 'https://gateway.example'
const client = new GatewayClient({
  baseUrl,
  merchantCode,
  privateKey,
  live: false,
  fetch: globalThis.fetch,
})

try {
  assert.match(String(await startPayment(client, { id: 'order-1', total: '10.50' })), /^\d+$/)
  assert.equal(await isPaid(client, 'order-1'), false)
  sandbox.payins.get('order-1').pay()
  assert.equal(await isPaid(client, 'order-1'), true)
  console.log('ok: an order is paid when its payin has succeeded')

  const action = { kind: /** @type {const} */ ('html'), status: 502, processed: true }
  sandbox.fault({ route: 'POST /payins/{idPayin}', action })
  await startPayment(client, { id: 'order-2', total: '20' })
  assert.equal(sandbox.payins.size, 2)
  console.log('ok: an order whose response gets lost has one payin')
} finally {
  await client.close()
  server.close()
  await sandbox.close()
}
