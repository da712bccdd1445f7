import { createSandbox } from 'merchant-gateway-sandbox'
import { GatewayClient } from 'merchant-gateway'
const sandbox = createSandbox()
const client = new GatewayClient(sandbox.clientOptions())
const order = { id: 'order-1', amount: '10.50', name: 'Jana Novak', account: '000123-0123456789' }
await client.payins.create({
  idPayin: order.id,
  paymentRequested: { money: money(order.amount, 'EUR') },
  paymentMethod: { paymentMethodCode: 'VAPAY' },
})
await client.payins.waitFor(order.id, { maxWaitMs: 10_000 })
