import { expect, test } from 'vitest'
import { found, handMadeGateway, json } from './servers.js'
import { clientOf, create, failure, paymentRequest } from './support.js'

test('an id that the client made stays the same through all attempts, and is on the error', async () => {
  await using gateway = await handMadeGateway({ create: [json(500, {})] })
  await using client = clientOf(gateway.url, 'undici', { retries: 2 })
  const error = await failure(client.payouts.create(paymentRequest()))
  const paths = gateway.requests.filter(({ path }) => path.startsWith('/payouts/')).map(({ path }) => path)
  expect(paths).toEqual(Array(3).fill(`/payouts/${error.idPayout}`))
  expect(error.idPayout).toMatch(/^[0-9a-f-]{36}$/)
})

test('id and request are what they were when create was called, whatever the caller does to its object', async () => {
  const request = { idPayout: 'order-1', ...paymentRequest() }
  await using gateway = await handMadeGateway({
    create: [
      (response, seen) => {
        // The caller's loop goes on to the next order and uses its object again.
        request.idPayout = 'order-2'
        request.paymentRequested.money.amount = 99
        json(409, {})(response, seen)
      },
    ],
    lookUp: [json(200, found('payout'))],
  })
  await using client = clientOf(gateway.url, 'undici')
  expect(await client.payouts.create(request)).toMatchObject({ idPayout: 'order-1', replayed: true })
})

test('a 409 is a conflict only where it was seen to be one', async () => {
  await using gateway = await handMadeGateway({
    create: [json(409, { code: 'SOMETHING_ELSE' })],
    lookUp: [json(409, {})],
  })
  await using client = clientOf(gateway.url, 'undici')
  const custom = { method: 'POST', path: '/reports', operations: ['POST /reports'], body: {} } as const
  const money = { amount: 1, currencyCode: 'EUR' }
  const calls = [
    client.request(custom),
    client.payins.retrieve('order-1'),
    client.payins.paymentOptions(money),
  ]
  for (const call of calls) expect((await failure(call)).name).toBe('InvalidRequestError')
  // A create whose lookup is answered 409, too, knows of no difference.
  const created = await failure(create(client, 'payout'))
  expect(created).toMatchObject({ code: 'invalid_request', outcome: 'accepted' })
})
