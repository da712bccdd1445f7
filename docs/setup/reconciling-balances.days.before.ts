import { createSandbox } from 'merchant-gateway-sandbox'
import { GatewayClient, money } from 'merchant-gateway'
// The specification shows no balance (section 4, gaps), so this shows what a gateway is likely to.
const shown = { balances: { EUR: 1000 } }
const sandbox = createSandbox(shown)
const client = new GatewayClient(sandbox.clientOptions())
/** @param {import('merchant-gateway-cli').OwnPayment[]} own */
async function tuesdayHappens(own) {
  own.push({ idPayin: 'order-1' })
  await client.payins.create({
    idPayin: 'order-1',
    paymentRequested: { money: money('10.50', 'EUR') },
    paymentMethod: { paymentMethodCode: 'VAPAY' },
  })
  await client.payouts.create({
    idPayout: 'nobody-ordered-this',
    paymentRequested: { money: money('123.45', 'EUR') },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '000123-0123456789' } },
  })
  await client.payins.waitFor('order-1', { maxWaitMs: 10_000 })
  await client.payouts.waitFor('nobody-ordered-this', { maxWaitMs: 10_000 })
}
