import { GatewayClient, money } from 'merchant-gateway'
const client = GatewayClient.fromEnv()
const idPayin = 'order-1002'
await client.payins.create({
  idPayin,
  paymentRequested: { money: money('10.50', 'EUR') },
  paymentMethod: { paymentMethodCode: 'VAPAY' },
})
