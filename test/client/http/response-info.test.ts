import { describe, expect, it } from 'vitest'
import { mask } from '../../../src/client/redact.js'
import { type GatewayClient, money, type ResponseInfo, responseOf, withResponse } from '../../../src/index.js'
import { anyToken, found, handMadeGateway, json, text } from '../../faults/servers.js'
import { clientOf, create } from '../../faults/support.js'

const id = 'order-1'
const headers = {
  'x-request-id': `r-7 ${anyToken}`,
  'x-correlation-id': 'c-7',
  'x-ratelimit-remaining': '9',
  traceparent: '00-1',
  'set-cookie': 'session=1',
  'x-customer': 'Jana',
  location: '/secret',
}
const answer = {
  ...found('payin'),
  process: { status: 'SUCCESS' },
  paymentMethodResponse: { idPayin: id, idPayout: id },
  channelInfo: { name: 'shop' },
  data: [],
}
const good = json(200, answer, headers)
const operations = ['GET /x']
const wrapping = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value: unknown) => ({ value: { wrapped: value } }),
  },
} as const
const wait = { maxWaitMs: 5000 }

const results: Record<string, (client: GatewayClient) => Promise<unknown>> = {
  'payins.create': (client) => create(client, 'payin'),
  'payins.retrieve': (client) => client.payins.retrieve(id),
  'payins.waitFor': (client) => client.payins.waitFor(id, wait),
  'payins.watch': async (client) => (await client.payins.watch(id, wait).next()).value,
  'payins.paymentOptions': (client) => client.payins.paymentOptions(money('1', 'EUR')),
  'payins.customerAccount': (client) => client.payins.customerAccount(id),
  'payouts.create': (client) => create(client, 'payout'),
  'payouts.retrieve': (client) => client.payouts.retrieve(id),
  'balances.list': (client) => client.balances.list(),
  'balances.list of some': (client) => client.balances.list({ currencies: ['EUR'] }),
  'currencies.list': (client) => client.currencies.list(),
  'merchantInfo.retrieve': (client) => client.merchantInfo.retrieve(),
  'paymentOperators.list': (client) => client.paymentOperators.list(),
  request: (client) => client.request({ method: 'GET', path: '/x', operations }),
  'request with a schema': (client) =>
    client.request({ method: 'GET', path: '/x', operations, response: wrapping }),
}

const customerAccountPath = '/payins/{idPayin}/account'

/** What adds up, whatever the machine does. */
function expectGoodDurations(info: ResponseInfo | undefined): void {
  const { durationMs = -1, lastAttemptMs = -1, waitedForPermitMs = -1, waitedForTokenMs = -1 } = info ?? {}
  expect(Math.min(lastAttemptMs, waitedForPermitMs, waitedForTokenMs)).toBeGreaterThanOrEqual(0)
  expect(durationMs + 0.001).toBeGreaterThanOrEqual(lastAttemptMs + waitedForPermitMs + waitedForTokenMs)
}

describe('the response that a result came from', () => {
  it.each(Object.entries(results))('is known for %s', async (_name, run) => {
    await using gateway = await handMadeGateway({ create: [good], lookUp: [good] })
    await using client = clientOf(gateway.url, 'undici', { customerAccountPath })
    const result = await run(client)
    const info = responseOf(result)
    expect(info).toMatchObject({ status: 200, requestId: 'c-7', attempts: 1 })
    expect(info?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': mask,
      'x-correlation-id': 'c-7',
      'x-ratelimit-remaining': '9',
      traceparent: '00-1',
    })
    for (const name of ['set-cookie', 'x-customer', 'location'])
      expect(info?.headers).not.toHaveProperty(name)
    expectGoodDurations(info)
    expect(info?.waitedForTokenMs).toBeGreaterThan(0)
    expect(responseOf(structuredClone(result))).toBeUndefined()
    expect(responseOf({ ...(result as object) })).toBeUndefined()
  })

  it('is known for what a schema made of it, also when that is frozen or a proxy', async () => {
    await using gateway = await handMadeGateway({ lookUp: [good] })
    await using client = clientOf(gateway.url, 'undici')
    for (const made of [Object.freeze({ a: 1 }), Object.freeze([]), new Proxy({}, {})]) {
      const validate = () => ({ value: made })
      const response = { '~standard': { version: 1, vendor: 'test', validate } } as const
      const result = await client.request({ method: 'GET', path: '/x', operations, response })
      expect(result).toBe(made)
      expect(responseOf(result)).toMatchObject({ status: 200, attempts: 1 })
    }
  })

  it('is known for a token', async () => {
    await using gateway = await handMadeGateway({
      token: [json(200, { token: anyToken }, { 'x-correlation-id': 'c-7' })],
    })
    await using client = clientOf(gateway.url, 'undici')
    const created = await client.authTokens.create({ operations })
    expect(responseOf(created)).toMatchObject({ status: 200, requestId: 'c-7', attempts: 1 })
    expect(
      responseOf(await client.authTokens.createByAction({ action: 'PAYIN_INFO', idPayment: id })),
    ).toMatchObject({
      status: 200,
    })
    expect(responseOf(await client.authTokens.shareable({ idPayin: id, validitySecs: 9 }))).toBeUndefined()
  })

  it('is the lookup’s for a payment that was there already', async () => {
    await using gateway = await handMadeGateway({
      create: [json(409, {}, { 'x-request-id': 'conflict' })],
      lookUp: [json(200, found('payin'), { 'x-request-id': 'lookup' })],
    })
    await using client = clientOf(gateway.url, 'undici')
    const payin = await create(client, 'payin')
    expect(payin.replayed).toBe(true)
    expect(responseOf(payin)).toMatchObject({ status: 200, requestId: 'lookup' })
  })

  it('is the last one after a retry, with the time that all of them took', async () => {
    await using gateway = await handMadeGateway({
      lookUp: [
        text(503, '', { 'x-request-id': 'first' }),
        json(200, found('payin'), { 'x-request-id': 'last' }),
      ],
    })
    await using client = clientOf(gateway.url, 'undici')
    const info = responseOf(await client.payins.retrieve(id))
    expect(info).toMatchObject({ status: 200, requestId: 'last', attempts: 2 })
    expectGoodDurations(info)
    // The pause before a second attempt is 125 ms at least.
    expect(info?.durationMs).toBeGreaterThan((info?.lastAttemptMs ?? 0) + 120)
  })

  it('leaves no trace on the result', async () => {
    await using gateway = await handMadeGateway({ lookUp: [json(200, found('payin'))] })
    await using client = clientOf(gateway.url, 'undici')
    const payin = await client.payins.retrieve(id)
    expect(payin).toStrictEqual(found('payin'))
    expect(Reflect.ownKeys(payin)).toEqual(Object.keys(found('payin')))
    expect(Object.getPrototypeOf(payin)).toBe(Object.prototype)
  })

  it.each([undefined, null, 1, 'text', true, Symbol('x'), {}, [], () => {}])(
    'is not known for %s',
    (value) => {
      expect(responseOf(value)).toBeUndefined()
    },
  )

  it('is not known for what a request() gave that is no object', async () => {
    await using gateway = await handMadeGateway({ lookUp: [json(200, 7)] })
    await using client = clientOf(gateway.url, 'undici')
    const seven = await client.request({ method: 'GET', path: '/x', operations })
    expect([seven, responseOf(seven)]).toEqual([7, undefined])
  })

  it('may be asked for as often as one likes, and changes to it stay with who made them', async () => {
    await using gateway = await handMadeGateway({ lookUp: [good] })
    await using client = clientOf(gateway.url, 'undici')
    const payin = await client.payins.retrieve(id)
    Object.assign(responseOf(payin)?.headers ?? {}, { 'x-request-id': 'changed' })
    expect(responseOf(payin)?.requestId).toBe('c-7')
  })
})

describe('withResponse', () => {
  it('gives the response beside a result that will be copied', async () => {
    await using gateway = await handMadeGateway({ lookUp: [good] })
    await using client = clientOf(gateway.url, 'undici')
    const { data, response } = await withResponse(client.payouts.retrieve(id))
    const copy = { ...data }
    expect([responseOf(copy), response?.status, response?.attempts]).toEqual([undefined, 200, 1])
    expect(response?.requestId).toBe('c-7')
  })

  it('rejects as the call does', async () => {
    const error = new Error('failed')
    await expect(withResponse(Promise.reject(error))).rejects.toBe(error)
  })

  it('has no response where the call resolves to no object', async () => {
    expect(await withResponse(Promise.resolve(undefined))).toEqual({ data: undefined, response: undefined })
  })
})
