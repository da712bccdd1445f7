import { createSandbox } from 'merchant-gateway-sandbox'
import { GatewayClient, money } from 'merchant-gateway'
const sandbox = createSandbox()
const client = new GatewayClient({ ...sandbox.clientOptions(), retries: 0 })
const payout = {
  idPayout: 'w-1',
  paymentRequested: { money: money('25.00', 'EUR') },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '000123-0123456789' } },
}
sandbox.fault({ route: 'POST /payouts/{idPayout}', action: { kind: 'drop-after' } })
