// Calls of the built package against a gateway whose paths begin with the name of a body and a status.
// node hostile-answers.mjs URL CASE…
import { GatewayClient, isGatewayError } from 'merchant-gateway'

const [, , url, ...cases] = process.argv
const payment = {
  paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'X', account: { accountNumber: '000123-0123456789' } },
}
/** @type {Record<string, (client: GatewayClient) => Promise<unknown>>} */
const calls = {
  paymentOptions: ({ payins }) => payins.paymentOptions({ amount: 1, currencyCode: 'EUR' }),
  createPayin: ({ payins }) => payins.create({ idPayin: 'order-1', ...payment }),
  retrieve: ({ payouts }) => payouts.retrieve('order-1'),
  balances: ({ balances }) => balances.list({ currencies: ['EUR'] }),
}

for (const one of cases) {
  const client = new GatewayClient({
    baseUrl: `${url}/${one}`,
    merchantCode: 'M-0001',
    signer: { sign: async () => new Uint8Array([1]) },
    rateLimit: false,
    retries: 0,
  })
  for (const [name, call] of Object.entries(calls)) {
    const ended = await call(client).then(
      () => 'result',
      (error) => (isGatewayError(error) ? JSON.stringify(error) : `foreign: ${error}`),
    )
    const said = ended.length > 10_000 ? 'too much' : ended.startsWith('{') ? JSON.parse(ended).code : ended
    console.log(JSON.stringify({ one, name, said }))
  }
  await client.close()
}
console.log('done')
