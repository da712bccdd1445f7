import { expect, it } from 'vitest'
import { fetchGateway } from '../../faults/fetch-gateway.js'
import { found } from '../../faults/servers.js'
import { clientOf, paymentRequest } from '../../faults/support.js'
import { Listening } from './support.js'

it('what a token is for is said in a word that holds no id', async () => {
  const options = { tokens: 'per-payment', customerAccountPath: '/accounts/{idPayin}' } as const
  const any = fetchGateway(() =>
    Response.json({
      ...found('payin'),
      paymentMethodResponse: { idPayin: 'order-1', idPayout: 'order-1' },
      data: [],
    }),
  )
  await using client = clientOf('https://gateway.example', 'undici', {
    ...options,
    fetch: any.fetch,
    rateLimit: false,
  })
  using heard = new Listening()
  await client.payins.create({ idPayin: 'order-1', ...paymentRequest() })
  await client.payouts.create({ idPayout: 'order-1', ...paymentRequest() })
  await client.payins.customerAccount('order-1')
  await client.payins.paymentOptions({ amount: 1, currencyCode: 'EUR' })
  await client.currencies.list()
  await client.request({ method: 'GET', path: '/orders/order-1', operations: ['GET /orders/order-1'] })
  expect(heard.tokens.map(({ scope }) => scope)).toEqual([
    'payment',
    'payment',
    'payment',
    'payins',
    'account',
    'operations',
  ])
})
