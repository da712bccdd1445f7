import { expect, it } from 'vitest'
import { type GatewayClient, money, operation } from '../../../src/index.js'
import { fetchGateway } from '../../faults/fetch-gateway.js'
import { found } from '../../faults/servers.js'
import { clientOf, paymentRequest } from '../../faults/support.js'
import { Listening } from './support.js'

/** Odd, and whole in no template: each is easy to find where it should not be. */
const id = "o'rder 17 ÄΩ"
const secretPath = '/customers/jana%40example.com/000123-0123456789'
const operations = [operation('GET', '/customers/.*')]

/** One call of each method, and what is told of it. */
const methods: Record<
  string,
  readonly [(client: GatewayClient, maxWaitMs: number) => Promise<unknown>, string]
> = {
  'payins.create': [
    (client) => client.payins.create({ idPayin: id, ...paymentRequest() }),
    'POST /payins/{idPayin} customer payin',
  ],
  'payins.retrieve': [(client) => client.payins.retrieve(id), 'GET /payins/{idPayin} customer payin'],
  'payins.waitFor': [
    (client, maxWaitMs) => client.payins.waitFor(id, { maxWaitMs }),
    'GET /payins/{idPayin} background payin',
  ],
  'payins.customerAccount': [
    (client) => client.payins.customerAccount(id),
    'GET /payins/{idPayin}/account customer payin',
  ],
  'payins.paymentOptions': [
    (client) => client.payins.paymentOptions(money('77.31', 'EUR')),
    'POST /payins/!availablePaymentOptions customer',
  ],
  'payouts.create': [
    (client) => client.payouts.create({ idPayout: id, ...paymentRequest('77.31') }),
    'POST /payouts/{idPayout} customer payout',
  ],
  'payouts.retrieve': [(client) => client.payouts.retrieve(id), 'GET /payouts/{idPayout} customer payout'],
  'payouts.watch': [
    (client, maxWaitMs) => client.payouts.watch(id, { maxWaitMs }).next(),
    'GET /payouts/{idPayout} background payout',
  ],
  'balances.list': [(client) => client.balances.list({ currencies: ['CZK'] }), 'GET /balances customer'],
  'currencies.list': [(client) => client.currencies.list(), 'GET /currencies customer'],
  'merchantInfo.retrieve': [(client) => client.merchantInfo.retrieve(), 'GET /merchant-info customer'],
  'paymentOperators.list': [(client) => client.paymentOperators.list(), 'GET /payment-operators customer'],
  'authTokens.create': [(client) => client.authTokens.create({ operations }), 'POST /auth-tokens token'],
  'authTokens.createByAction': [
    (client) => client.authTokens.createByAction({ action: 'PAYIN_INFO', idPayment: id }),
    'POST /auth-tokens-by-action token',
  ],
  'authTokens.shareable': [
    (client) => client.authTokens.shareable({ idPayin: id, validitySecs: 60 }),
    'POST /auth-tokens-by-action token',
  ],
  request: [
    (client) =>
      client.request({ method: 'POST', path: secretPath, operations, body: { id }, idempotent: true }),
    'POST {path} customer',
  ],
  'request with a template': [
    (client) =>
      client.request({ method: 'GET', path: secretPath, pathTemplate: '/customers/{mail}/{n}', operations }),
    'GET /customers/{mail}/{n} customer',
  ],
}

const answer = { ...found('payin', id), process: { status: 'SUCCESS' }, data: [] }

const told: Record<string, string> = {
  'payins.waitFor': 'payins.retrieve',
  'payouts.watch': 'payouts.retrieve',
  'request with a template': 'request',
}

it.each(Object.entries(methods))('%s is told of by name and template', async (name, [run, expected]) => {
  const payment = name.startsWith('payout') ? found('payout', id, 77.31) : found('payin', id)
  const { fetch } = fetchGateway(() => Response.json({ ...answer, ...payment, process: answer.process }))
  const customerAccountPath = '/payins/{idPayin}/account'
  await using client = clientOf('https://gateway.example', 'undici', { fetch, customerAccountPath })
  using heard = new Listening()
  await run(client, 5000)
  const { started, ended, attemptsEnded } = heard.of(told[name] ?? name)
  expect(ended).toHaveLength(1)
  expect(attemptsEnded).toHaveLength(1)
  const at = { serverAddress: 'gateway.example', serverPort: 443, basePath: '' }
  const [method, pathTemplate, priority, kind] = expected.split(' ')
  const ids = kind === undefined ? {} : { [kind === 'payin' ? 'idPayin' : 'idPayout']: id }
  expect(started[0]?.call).toStrictEqual({
    client: at,
    name: told[name] ?? name,
    method,
    pathTemplate,
    priority,
    ...ids,
  })
  expect(attemptsEnded[0]?.attempt).toMatchObject({ number: 1, method, pathTemplate })
})
