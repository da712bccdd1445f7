import { GatewayClient, money } from 'merchant-gateway'
const client = GatewayClient.fromEnv()
const order = {
  idPayin: 'order-77', // stored before the first call
  paymentRequested: { money: money('10.50', 'EUR') },
  paymentMethod: { paymentMethodCode: 'VAPAY' },
}
