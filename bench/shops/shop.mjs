// @ts-check
// One process of a shop: takes orders from the bench, and callbacks over HTTP.
import { createServer } from 'node:http'
import { Redis } from 'ioredis'
import { GatewayClient, isPaid, money } from 'merchant-gateway'
import { CallbackReceiver } from 'merchant-gateway/callbacks'
import { redisDedupe, redisRateLimit } from 'merchant-gateway/redis'

const { GATEWAY_MERCHANT_CODE: name = '', REDIS_URL = '' } = process.env
const processes = Number(process.env.PROCESSES)
const connection = processes > 1 ? new Redis(REDIS_URL) : undefined
const client = GatewayClient.fromEnv(
  connection && {
    rateLimit: redisRateLimit({ connection, name, processes }),
  },
)
const callbacks = new CallbackReceiver({
  client,
  publicUrl: 'https://shop.example/callbacks',
  dedupe: connection && redisDedupe({ connection, prefix: name }),
  onPayin: (payin, { idPayin }) => {
    if (isPaid(payin)) process.send?.({ paid: idPayin, at: Date.now() })
  },
  onError: (error, { during }) => console.error(during, error instanceof Error ? error.message : error),
})

process.on('message', (/** @type {{ order: string }} */ { order }) => {
  client.payins
    .create({
      idPayin: order,
      paymentRequested: { money: money('10.50', 'EUR') },
      paymentMethod: { paymentMethodCode: 'VAPAY' },
    })
    .catch((error) => console.error('order', error.message))
})
process.on('disconnect', () => process.exit())
// Token and budget are there before the first customer is.
await client.payins.retrieve('none').catch(() => undefined)
const server = createServer(callbacks.node()).listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
})
