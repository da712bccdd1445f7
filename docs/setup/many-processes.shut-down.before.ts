import { createServer } from 'node:http'
import { GatewayClient } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
const client = GatewayClient.fromEnv()
const callbacks = new CallbackReceiver({
  client,
  publicUrl: 'https://shop.example/gateway/callbacks',
  onPayin: () => undefined,
})
const server = createServer(callbacks.node()).listen(0, '127.0.0.1')
