import { expect, it } from 'vitest'
import { type GatewayClient, operation } from '../../../src/index.js'
import { fetchGateway } from '../../faults/fetch-gateway.js'
import { found } from '../../faults/servers.js'
import { clientOf } from '../../faults/support.js'
import { rowsOf } from '../../support/failures.js'
import { customerAccountPath, methods, waits } from '../../support/methods.js'
import { Listening } from './support.js'

/** Odd, and whole in no template: each is easy to find where it should not be. */
const id = "o'rder 17 ÄΩ"
const secretPath = '/customers/jana%40example.com/000123-0123456789'

const request = { method: 'GET', path: secretPath, operations: [operation('GET', '/customers/.*')] } as const

/** Calls of the methods, and what is told of each: its name where that is another one, and then the rest. */
const calls: Record<string, (client: GatewayClient) => Promise<unknown>> = {
  ...Object.fromEntries(
    Object.entries({ ...methods, ...waits }).map(([name, call]) => [name, (client) => call(client, id)]),
  ),
  'request with a body': (client) => client.request({ ...request, method: 'POST', body: { id } }),
  'request with a template': (client) =>
    client.request({ ...request, pathTemplate: '/customers/{mail}/{n}' }),
}

const told = `
  payins.create             | POST /payins/{idPayin}                | customer | payin
  payins.retrieve           | GET /payins/{idPayin}                 | customer | payin
  payins.customerAccount    | GET /payins/{idPayin}/account         | customer | payin
  payins.paymentOptions     | POST /payins/!availablePaymentOptions | customer
  payins.waitFor            | GET /payins/{idPayin}                 | background | payin | payins.retrieve
  payouts.create            | POST /payouts/{idPayout}              | customer | payout
  payouts.retrieve          | GET /payouts/{idPayout}               | customer | payout
  payouts.watch             | GET /payouts/{idPayout}               | background | payout | payouts.retrieve
  balances.list             | GET /balances                         | customer
  currencies.list           | GET /currencies                       | customer
  merchantInfo.retrieve     | GET /merchant-info                    | customer
  paymentOperators.list     | GET /payment-operators                | customer
  authTokens.create         | POST /auth-tokens                     | token
  authTokens.createByAction | POST /auth-tokens-by-action           | token
  authTokens.shareable      | POST /auth-tokens-by-action           | token
  request                   | GET {path}                            | customer
  request with a body       | POST {path}                           | customer | - | request
  request with a template   | GET /customers/{mail}/{n}             | customer | - | request`

const answer = { ...found('payin', id), process: { status: 'SUCCESS' }, data: [] }

it.each(rowsOf(told))('%s is told of by name and template: %s', async (call = '', route = '', ...more) => {
  const [priority, kind = '-', name = call] = more
  const payment = call.startsWith('payout') ? found('payout', id) : found('payin', id)
  const { fetch } = fetchGateway(() => Response.json({ ...answer, ...payment, process: answer.process }))
  await using client = clientOf('https://gateway.example', 'undici', { fetch, customerAccountPath })
  using heard = new Listening()
  await calls[call]?.(client)
  const { started, ended, attemptsEnded } = heard.of(name)
  expect([ended.length, attemptsEnded.length]).toEqual([1, 1])
  const at = { serverAddress: 'gateway.example', serverPort: 443, basePath: '' }
  const [method, pathTemplate] = route.split(' ')
  const ids = kind === '-' ? {} : { [kind === 'payin' ? 'idPayin' : 'idPayout']: id }
  expect(started[0]?.call).toStrictEqual({ client: at, name, method, pathTemplate, priority, ...ids })
  expect(attemptsEnded[0]?.attempt).toMatchObject({ number: 1, method, pathTemplate })
})

it('no method is without a row', () => {
  expect(
    rowsOf(told)
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(Object.keys(calls).toSorted())
})
