// A payout with the built package, in a process whose plain listeners all throw: Node makes an uncaught
// exception of that. node throwing-listeners.mjs URL [survive]
import { channel } from 'node:diagnostics_channel'
import { GatewayClient } from 'merchant-gateway'

const [, , url, survive] = process.argv
let uncaught = 0
if (survive === 'survive') {
  process.on('uncaughtException', () => {
    uncaught++
  })
}
for (const name of ['call:start', 'call:end', 'attempt:start', 'attempt:end', 'token']) {
  channel(`merchant-gateway:${name}`).subscribe(() => {
    throw new Error(`listener of ${name}`)
  })
}
const client = new GatewayClient({
  baseUrl: url,
  merchantCode: 'M-0001',
  signer: { sign: async () => new Uint8Array([1]) },
})
const { replayed } = await client.payouts.create({
  idPayout: 'order-1',
  paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'X' },
})
await client.close()
console.log(JSON.stringify({ replayed, uncaught }))
