/** Creates a payin in the sandbox that shows it. Runs as it is where the sandbox's variables are set. */
export function programForThisSandbox(baseUrl: string, merchantCode: string): string {
  return `import { GatewayClient, money, statusOf } from 'merchant-gateway'

const client = GatewayClient.fromEnv({
  baseUrl: ${JSON.stringify(baseUrl)},
  merchantCode: ${JSON.stringify(merchantCode)},
})
const { idPayin } = await client.payins.create({
  paymentRequested: { money: money('10.50', 'EUR') },
  paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
})
console.log('Accepted:', idPayin)
// Until the sandbox pays it, or you do on this page.
const payin = await client.payins.waitFor(idPayin, { maxWaitMs: 60_000 })
console.log('It is', statusOf(payin))
await client.close()
`
}
