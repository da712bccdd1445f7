import { expect, onTestFinished, test } from 'vitest'
import { type AnswerEvent, GatewayClient, money, onGatewayEvent } from '../../src/index.js'
import { profileFromTraffic, readProfile, type TrafficOptions } from '../../src/profile/index.js'
import { createSandbox } from '../../src/sandbox/index.js'
import { mockGateway } from '../support/gateway.js'

const gateway = mockGateway()
const canary = 'CANARY-7f3a-QQ'
const payout = {
  idPayout: `w-${canary}`,
  paymentRequested: { money: money('71234.50', 'EUR') },
  paymentMethod: {
    paymentMethodCode: 'BANK_TRANSFER',
    account: { accountName: `Ann ${canary}`, accountNumber: '0098765432' },
  },
} as const

function listen(options?: TrafficOptions) {
  const traffic = profileFromTraffic(options)
  onTestFinished(() => traffic.stop())
  return traffic
}

/** What is told of an answer comes a moment later, once the part that shapes it is loaded. */
const told = () =>
  import('../../src/observe/watching.js').then(() => new Promise((resolve) => setImmediate(resolve)))

test('what production shows is added, and nobody is asked for it', async () => {
  const sandbox = createSandbox({ clock: 'virtual', rateLimit: false, retryAfter: 'seconds' })
  const client = new GatewayClient({ ...sandbox.clientOptions(), retries: 0 })
  const traffic = listen()
  await client.payouts.create(payout)
  await client.payouts.create(payout)
  await client.payins.retrieve('none').catch(() => undefined)
  await client.request({ method: 'GET', path: '/currencies', operations: ['GET /currencies'] })
  await told()
  const asked = sandbox.requests.length
  const { profile } = traffic
  expect(sandbox.requests).toHaveLength(asked)
  expect(readProfile(JSON.parse(JSON.stringify(profile)))).toEqual(profile)
  expect(Object.keys(profile.answers ?? {}).sort()).toEqual([
    'GET /payouts/{idPayout}',
    'POST /auth-tokens',
    'POST /payouts/{idPayout}',
  ])
  expect(profile.answers?.['POST /payouts/{idPayout}']).toEqual({
    status: 200,
    contentType: 'application/json',
    body: {
      paymentRequested: { money: { amount: 'number', currencyCode: 'string' } },
      paymentMethodResponse: { paymentMethodCode: 'string', idPayout: 'string' },
    },
  })
  expect(profile.tokens).toEqual({ format: 'json' })
  const refusal = { contentType: 'application/json', body: { code: 'string', message: 'string' } }
  expect(profile.refusals).toEqual({
    'id-repeated': { status: 409, ...refusal },
    'payin-unknown': { status: 404, ...refusal },
  })
  expect(profile.notSeen).toBeUndefined()
  await client.close()
  await sandbox.close()
})

test('answers of one endpoint are merged, and what is known is kept', async () => {
  const known = {
    profileVersion: 1,
    answers: { 'GET /currencies': { status: 200, body: { a: 'string' } } },
  } as const
  const traffic = listen({ profile: known })
  const client = gateway.client()
  gateway.answer({ a: 1, b: true })
  await client.currencies.list()
  await told()
  expect(traffic.profile.answers?.['GET /currencies']).toEqual({
    status: 200,
    body: { a: 'number|string', 'b?': 'boolean' },
  })
  const before = traffic.profile
  await client.currencies.list()
  await told()
  expect(traffic.profile).toBe(before)
  traffic.stop()
  gateway.answer({ c: 1 })
  await client.currencies.list()
  await told()
  expect(traffic.profile).toBe(before)
})

test('a 429 tells how it asks to wait', async () => {
  const traffic = listen()
  let refusals = 1
  gateway.answer(() =>
    refusals-- > 0
      ? new Response('slow down', { status: 429, headers: { 'retry-after': new Date(0).toUTCString() } })
      : Response.json({}),
  )
  await gateway.client({ rateLimit: false }).currencies.list()
  await told()
  expect(traffic.profile.rate).toEqual({ retryAfter: 'date' })
  expect(traffic.profile.refusals?.['rate-exceeded']).toMatchObject({ status: 429, body: 'text' })
})

test('another gateway of the process is left out where a host is named', async () => {
  const others = listen({ serverAddress: 'other.example' })
  const all = listen({ serverAddress: 'gateway.example' })
  await gateway.client().currencies.list()
  await told()
  expect(others.profile).toEqual({ profileVersion: 1 })
  expect(all.profile.answers).toHaveProperty(['GET /currencies'])
})

test('no value, no id and no secret is in an event or a profile', async () => {
  const events: AnswerEvent[] = []
  onTestFinished(onGatewayEvent('merchant-gateway:answer', (event) => events.push(event)))
  const traffic = listen()
  const echo = {
    paymentRequested: payout.paymentRequested,
    paymentMethodResponse: { idPayout: payout.idPayout, [canary]: payout.paymentMethod },
    process: { status: canary, '0098765432': 1 },
    [payout.idPayout.toLowerCase()]: canary,
  }
  gateway.answer(() => Response.json(echo, { headers: { 'content-type': `application/json; x=${canary}` } }))
  const client = gateway.client()
  await client.payouts.create(payout)
  await client.payouts.retrieve(payout.idPayout)
  await told()
  expect(events).toHaveLength(3)
  const text = JSON.stringify([events, traffic.profile])
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
  for (const secret of ['CANARY', '0098765432', '71234', 'BANKTRANSFER', 'EYJ'])
    expect(text).not.toContain(secret)
  expect(traffic.profile.answers?.['GET /payouts/{idPayout}']?.body).toMatchObject({ '*': 'string' })
})

test('a body that is huge, or no JSON, has a shape in no time', async () => {
  const traffic = listen()
  gateway.answer(() => new Response(`{"a":"${'x'.repeat(300_000)}"}`))
  await gateway.client().currencies.list()
  await told()
  expect(traffic.profile.answers?.['GET /currencies']).toMatchObject({ status: 200, body: 'any' })
})

test('while nobody listens no answer is told of', async () => {
  const traffic = profileFromTraffic()
  traffic.stop()
  const { channel } = await import('node:diagnostics_channel')
  expect(channel('merchant-gateway:answer').hasSubscribers).toBe(false)
  await gateway.client().currencies.list()
  await told()
  expect(traffic.profile).toEqual({ profileVersion: 1 })
})
