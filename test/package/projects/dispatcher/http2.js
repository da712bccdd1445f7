import { GatewayClient, money, statusOf } from 'merchant-gateway'
import { Agent } from 'undici-8'

const dispatcher = new Agent({ allowH2: true, connect: { ca: process.env.AUTHORITY } })
const client = GatewayClient.fromEnv({ dispatcher })
const idPayout = 'order-1'
const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '1' } }
// The sandbox loses the first answer to this amount.
const paymentRequested = { money: money('5001', 'EUR') }
const { replayed } = await client.payouts.create({ idPayout, paymentRequested, paymentMethod })
console.log('replayed', replayed)
console.log(statusOf(await client.payouts.waitFor(idPayout, { maxWaitMs: 30_000 })))
await client.close()
await dispatcher.close()
