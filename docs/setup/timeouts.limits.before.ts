import { GatewayClient, money } from 'merchant-gateway'
const client = GatewayClient.fromEnv()
const payout = {
  idPayout: 'w-77',
  paymentRequested: { money: money('25.00', 'EUR') },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '000123-0123456789' } },
}
