import { GatewayClient, isGatewayError, money } from 'merchant-gateway'

// What `outcome` says of a payout whose create goes wrong. The amounts make the sandbox misbehave.
const [closedAddress = '', ...amounts] = process.argv.slice(2)
const settings = { retries: 0, timeoutMs: 4000, rateLimit: 100 }
const client = GatewayClient.fromEnv(settings)

for (const amount of amounts) console.log(`${amount} ${await outcomeOf(client, amount)}`)
const nobody = GatewayClient.fromEnv({ ...settings, baseUrl: closedAddress })
console.log(`nobody ${await outcomeOf(nobody, '10')}`)
await nobody.close()
await client.close()

async function outcomeOf(of, amount) {
  try {
    await of.payouts.create({
      paymentRequested: { money: money(amount, 'EUR') },
      paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '1' } },
    })
    return 'accepted'
  } catch (error) {
    return isGatewayError(error) ? `${error.code} ${error.outcome}` : String(error)
  }
}
