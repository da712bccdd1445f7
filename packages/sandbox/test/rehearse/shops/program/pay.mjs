// A program that pays an order with an id for each run. Not to be copied.
import { randomUUID } from 'node:crypto'
import { GatewayClient, money } from 'merchant-gateway'

const client = GatewayClient.fromEnv({ retries: 0 })
await client.payins.create({
  idPayin: randomUUID(),
  paymentRequested: { money: money('10.00', 'EUR') },
  paymentMethod: { paymentMethodCode: 'VAPAY' },
  callbackUrl: `http://127.0.0.1:9/${process.argv[2]}`,
})
await client.close()
