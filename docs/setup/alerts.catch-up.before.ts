import { createSandbox } from 'merchant-gateway-sandbox'
import { GatewayClient, onGatewayEvent } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
const sandbox = createSandbox()
const client = new GatewayClient(sandbox.clientOptions())
const callbacks = new CallbackReceiver({
  client,
  publicUrl: 'https://shop.example/gateway/callbacks',
  secrets: ['a-secret-of-at-least-32-bytes-for-docs'],
  onPayin: () => undefined,
})
const openPayments = [{ idPayin: 'order-1' }, { idPayout: 'payout-1' }]
const stop = onGatewayEvent('merchant-gateway:catch-up', ({ kind, unavailable }) => console.log(kind, unavailable))
