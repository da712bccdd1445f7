import { describe, expect, test } from 'vitest'
import {
  asking,
  BODY_HEADERS,
  bearer,
  codeOf,
  create,
  JSON_HEADERS,
  masterToken,
  ORIGIN,
  outcome,
  paymentBody,
  refusal,
  SIGNED_AT,
  stillSandbox,
} from '../support.js'

const without = (headers: Record<string, string>, name: string) =>
  Object.fromEntries(Object.entries(headers).filter(([other]) => other !== name))

describe('headers', () => {
  test.each([undefined, '', '1', '3', '2.73', '2.0', ' 2 2', '02', 'two'])(
    'X-API-Version %j is 404 on every path',
    async (version) => {
      const sandbox = stillSandbox()
      const headers = {
        ...without(bearer(await masterToken(sandbox)), 'x-api-version'),
        ...(version === undefined ? {} : { 'x-api-version': version }),
      }
      for (const path of ['/balances', '/nothing', '/auth-tokens']) {
        expect(await refusal(sandbox.fetch(ORIGIN + path, { headers }))).toEqual([404, 'VERSION_UNSUPPORTED'])
      }
    },
  )

  test.each(['*/*', 'text/html', ''])('Accept: %s is 406', async (accept) => {
    const { get } = await asking()
    expect((await get('/balances', { accept })).status).toBe(406)
  })

  test.each(['application/json', 'application/json, text/plain', 'application/json;q=0.9'])(
    'Accept: %s is served',
    async (accept) => {
      const { get } = await asking()
      expect((await get('/balances', { accept })).status).toBe(200)
    },
  )

  test.each([
    ['text/plain', 415],
    ['application/json-patch+json', 415],
    ['application/json; charset=latin1', 415],
    ['application/json', 200],
    ['Application/JSON; charset=UTF-8', 200],
  ])('a body of the type %s is answered %d', async (type, status) => {
    const { sandbox, post } = await asking()
    expect((await post('/payins/one', undefined, { 'content-type': type })).status).toBe(status)
    expect(sandbox.payins.size).toBe(status === 200 ? 1 : 0)
  })

  test('a compressed body is 415, because nobody said that the gateway takes one', async () => {
    const { post } = await asking()
    expect((await post('/payins/one', undefined, { 'content-encoding': 'gzip' })).status).toBe(415)
  })
})

describe('paths', () => {
  test.each([
    '/',
    '/payins',
    '/payins/',
    '/payin/one',
    '/payins/one/',
    '/payins/one/two',
    '/payins/!other',
    '/BALANCES',
  ])('%s is 404', async (path) => {
    expect(await refusal((await asking()).get(path))).toEqual([404, 'NOT_FOUND'])
  })

  test.each([
    ['POST', '/merchant-info', 'GET'],
    ['DELETE', '/payins/one', 'GET, POST'],
    ['GET', '/auth-tokens', 'POST'],
    ['PUT', '/payouts/one', 'GET, POST'],
    ['HEAD', '/balances', 'GET'],
  ])('%s %s is 405 and says what is allowed', async (method, path, allow) => {
    const sandbox = stillSandbox()
    const response = await sandbox.fetch(ORIGIN + path, { method, headers: JSON_HEADERS })
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
  })

  test.each(['%2e%2e%2f', '%', '%ff', '%21availablePaymentOptions'])(
    'the id %s creates nothing odd',
    async (id) => {
      const { sandbox, post } = await asking()
      const response = await post(`/payins/${id}`)
      if (id === '%2e%2e%2f') expect(sandbox.payins.list().map((payin) => payin.id)).toEqual(['../'])
      else expect([response.status, await codeOf(response)]).toEqual([400, 'INVALID_ID'])
    },
  )

  test('all endpoints lie under basePath when there is one', async () => {
    const sandbox = stillSandbox({ basePath: '/api/v2' })
    expect(sandbox.clientOptions().baseUrl).toBe('https://gateway.sandbox.invalid/api/v2')
    expect((await sandbox.fetch(`${ORIGIN}/balances`, { headers: JSON_HEADERS })).status).toBe(404)
    expect((await sandbox.fetch(`${ORIGIN}/api/v2/balances`, { headers: JSON_HEADERS })).status).toBe(401)
  })

  test('customer account data is found at the path that the option gives', async () => {
    const { get, post } = await asking({ customerAccountPath: '/accounts/of/{idPayin}' })
    await post('/payins/one')
    expect((await get('/payins/one/customer-account')).status).toBe(404)
    expect((await get('/accounts/of/one')).status).toBe(200)
  })
})

describe('bodies', () => {
  test.each(['', '{', '[]', 'null', '"x"', '{"a":1}x', '\ufeff{}'])('%j is 400', async (body) => {
    expect(await refusal((await asking()).post('/payins/one', body))).toEqual([400, 'INVALID_JSON'])
  })

  test('bytes that are not UTF-8 are 400', async () => {
    const sandbox = stillSandbox()
    const init = create(await masterToken(sandbox))
    const body = Buffer.from(paymentBody().replace('Jana', 'J\u00e1na'), 'latin1')
    expect((await sandbox.fetch(`${ORIGIN}/payins/one`, { ...init, body })).status).toBe(400)
  })

  const valid = () => JSON.parse(paymentBody())
  test.each<[string, (body: ReturnType<typeof valid>) => unknown]>([
    ['no money', (body) => delete body.paymentRequested.money],
    ['no paymentRequested', (body) => delete body.paymentRequested],
    ['an amount in quotes', (body) => Object.assign(body.paymentRequested.money, { amount: '100' })],
    ['an amount of 0', (body) => Object.assign(body.paymentRequested.money, { amount: 0 })],
    ['a negative amount', (body) => Object.assign(body.paymentRequested.money, { amount: -1 })],
    ['no currency', (body) => delete body.paymentRequested.money.currencyCode],
    ['a currency that is none', (it) => Object.assign(it.paymentRequested.money, { currencyCode: 'euro' })],
    ['no method', (body) => delete body.paymentMethod],
    ['no method code', (body) => delete body.paymentMethod.paymentMethodCode],
    ['a number for an account', (body) => Object.assign(body.paymentMethod.account, { accountNumber: 1 })],
    [
      'a line break in a callback URL',
      (body) => Object.assign(body, { callbackUrl: 'https://a.example/\r\nb' }),
    ],
    ['a callback URL that is none', (body) => Object.assign(body, { callbackUrl: 'shop' })],
    ['a callback URL of ftp', (body) => Object.assign(body, { callbackUrl: 'ftp://shop.example/' })],
  ])('a create with %s is 400 and accepts nothing', async (_name, change) => {
    const body = valid()
    change(body)
    for (const path of ['/payins/one', '/payouts/one']) {
      const { sandbox, post } = await asking()
      const response = await post(path, JSON.stringify(body))
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({ code: expect.any(String), message: expect.any(String) })
      expect(sandbox.payins.size + sandbox.payouts.size).toBe(0)
    }
  })

  test('a payout to nowhere is 400, a payin from anybody is not', async () => {
    const body = valid()
    delete body.paymentMethod.account
    const { post } = await asking()
    expect((await post('/payouts/one', JSON.stringify(body))).status).toBe(400)
    expect((await post('/payins/one', JSON.stringify(body))).status).toBe(200)
  })

  test('a field that the gateway does not know is no reason to refuse', async () => {
    const { post } = await asking()
    const body = JSON.stringify({ ...valid(), newThing: { since: '2.74' } })
    expect((await post('/payins/one', body)).status).toBe(200)
  })

  test('a body above the limit is 413 and is not processed', async () => {
    const sandbox = stillSandbox({ maxBodyBytes: 200 })
    const body = JSON.stringify({ filler: 'x'.repeat(200) })
    const init = { method: 'POST', headers: BODY_HEADERS, body }
    expect((await sandbox.fetch(`${ORIGIN}/auth-tokens`, init)).status).toBe(413)
  })
})

describe('the order of the checks', () => {
  test('is version, path, Accept, token, scope, type, conflict, body', async () => {
    const { sandbox, token, post } = await asking()
    await post('/payins/one')
    const right: Record<string, string> = { ...bearer(token), 'content-type': 'application/json' }
    const statusOf = async (broken: string[], path = '/payins/one') => {
      const headers = broken.reduce(without, right)
      return (await sandbox.fetch(ORIGIN + path, { method: 'POST', headers, body: '{' })).status
    }
    // fetch itself says text/plain for a string without a type and */* without Accept.
    expect(await statusOf(['x-api-version', 'accept', 'authorization', 'content-type'])).toBe(404)
    expect(await statusOf(['accept', 'authorization', 'content-type'], '/merchant-info')).toBe(405)
    expect(await statusOf(['accept', 'authorization', 'content-type'])).toBe(406)
    expect(await statusOf(['authorization', 'content-type'])).toBe(401)
    expect(await statusOf(['content-type'])).toBe(415)
    expect(await statusOf([])).toBe(409)
    expect(await statusOf([], '/payins/two')).toBe(400)
  })
})

describe('what the endpoints answer', () => {
  const time = new Date(SIGNED_AT).toISOString()
  const money = { amount: 100, currencyCode: 'EUR' }

  test('a payin, created and read, as section 2 shows it', async () => {
    const { sandbox, get, post } = await asking({ seed: 1 })
    const created = await outcome(post('/payins/one'))
    const paymentMethodResponse = {
      idPayin: 'one',
      paymentMethodCode: 'VAPAY',
      paymentOperatorCode: 'HARBOUR',
      account: {
        accountName: 'Jana Nováková',
        accountNumber: '000123-0123456789',
        bankCode: 'HARBOUR',
        bankName: 'Harbour Bank',
      },
      money,
      expireAt: new Date(SIGNED_AT + 86_400_000).toISOString(),
      reference: expect.stringMatching(/^\d{12}$/),
      returnUrl: 'https://shop.example/back',
    }
    expect(created).toEqual({ status: 200, json: { paymentRequested: { money }, paymentMethodResponse } })
    const read = () => outcome(get('/payins/one'))
    const process = { status: 'CREATED', createdAt: time, isTest: true }
    expect(await read()).toEqual({
      status: 200,
      json: { paymentRequested: { money }, process, paymentMethodResponse },
    })
    await sandbox.clock.advance(1000)
    expect(await read()).toMatchObject({
      json: { process: { status: 'SUCCESS', processedAt: new Date(SIGNED_AT + 1000).toISOString() } },
    })
  })

  test('a payin that names no account, with the account to pay into', async () => {
    const { post } = await asking()
    const body = JSON.stringify({
      paymentRequested: { money },
      paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
    })
    const { json } = await outcome(post('/payins/one', body))
    expect(json).toMatchObject({
      paymentMethodResponse: {
        account: { accountNumber: expect.stringMatching(/^90\d{12}$/), bankCode: 'HARBOUR' },
        reference: expect.stringMatching(/^\d{12}$/),
      },
    })
  })

  test('a payout, created and read, as section 2 shows it: without the account', async () => {
    const { sandbox, get, post } = await asking()
    const created = await outcome(post('/payouts/one'))
    const paymentMethodResponse = { paymentMethodCode: 'VAPAY', idPayout: 'one' }
    expect(created).toEqual({ status: 200, json: { paymentRequested: { money }, paymentMethodResponse } })
    await sandbox.clock.advance(1000)
    expect(await outcome(get('/payouts/one'))).toEqual({
      status: 200,
      json: {
        paymentRequested: { money },
        process: {
          status: 'SUCCESS',
          createdAt: time,
          processedAt: new Date(SIGNED_AT + 1000).toISOString(),
          isTest: true,
        },
        fee: { amount: 1, currencyCode: 'EUR' },
        paymentMethodResponse,
      },
    })
  })

  test('customer account data: from the request at once, from the payment after it has succeeded', async () => {
    const { sandbox, get, post } = await asking()
    await post('/payins/one')
    const read = () => outcome(get('/payins/one/customer-account'))
    const account = { accountName: 'Jana Nováková', accountNumber: '000123-0123456789' }
    const paymentRequest = { account, emailAddress: 'jana@example.com' }
    expect((await read()).json).toEqual({ idPayin: 'one', paymentRequest, paymentProcess: null })
    await sandbox.clock.advance(1000)
    expect((await read()).json).toEqual({ idPayin: 'one', paymentRequest, paymentProcess: { account } })
  })

  test('options, merchant, code lists, and balances that payments move', async () => {
    const paymentOperators = [{ code: 'HARBOUR', name: 'Bank A' }]
    const balances = { EUR: 500, USD: 7 }
    const { sandbox, ...ask } = await asking({ balances, paymentOperators, channelName: 'Shop' })
    const get = async (path: string) => (await outcome(ask.get(path))).json
    const options = async (currencyCode: string) => {
      const body = JSON.stringify({ money: { amount: 1, currencyCode } })
      return (await outcome(ask.post('/payins/!availablePaymentOptions', body))).json
    }
    expect(await options('EUR')).toEqual({ data: [{ paymentMethodCode: 'VAPAY', paymentOperators }] })
    expect(await options('XXX')).toEqual({ data: [] })
    expect(await get('/merchant-info')).toEqual({ channelInfo: { name: 'Shop' } })
    expect(await get('/currencies')).toEqual({ data: [{ currencyCode: 'EUR' }, { currencyCode: 'USD' }] })
    expect(await get('/payment-operators')).toEqual({ data: paymentOperators })
    await ask.post('/payins/one', paymentBody({ amount: 0.1 }))
    await ask.post('/payins/two', paymentBody({ amount: 0.2 }))
    await ask.post('/payouts/one', paymentBody({ amount: 50 }))
    await sandbox.clock.advance(1000)
    const eur = { money: { amount: 449.3, currencyCode: 'EUR' } }
    const usd = { money: { amount: 7, currencyCode: 'USD' } }
    expect(await get('/balances')).toEqual({ data: [eur, usd] })
    expect(await get('/balances?currencies=EUR,XXX,,eur')).toEqual({ data: [eur] })
    expect(await get('/balances?currencies=USD%2CEUR')).toEqual({ data: [eur, usd] })
    expect(await get('/balances?currencies=')).toEqual({ data: [] })
  })

  test('a payment that does not exist is 404, for reading and for its account', async () => {
    const { get } = await asking()
    for (const path of ['/payins/x', '/payouts/x', '/payins/x/customer-account']) {
      expect(await refusal(get(path))).toEqual([404, 'PAYMENT_NOT_FOUND'])
    }
  })
})

describe('idempotency', () => {
  test.each(['payins', 'payouts'])(
    'an accepted id is 409 in %s, whatever the body, and changes nothing',
    async (path) => {
      const { sandbox, post } = await asking()
      await post(`/${path}/one`)
      for (const body of [paymentBody(), paymentBody({ amount: 7 }), '{', '']) {
        expect(await refusal(post(`/${path}/one`, body))).toEqual([409, 'ALREADY_ACCEPTED'])
      }
      expect([...sandbox.payins.list(), ...sandbox.payouts.list()].map(({ money }) => money.amount)).toEqual([
        100,
      ])
    },
  )

  test('a payin and a payout may have the same id', async () => {
    const { post } = await asking()
    expect((await post('/payins/one')).status).toBe(200)
    expect((await post('/payouts/one')).status).toBe(200)
  })

  test('of fifty creates at once with one id, one is accepted', async () => {
    const { post } = await asking()
    const all = Array.from({ length: 50 }, () => post('/payouts/one'))
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(49)
  })

  test('a refused create leaves the id free', async () => {
    const { post } = await asking()
    await post('/payouts/one', '{}')
    expect((await post('/payouts/one')).status).toBe(200)
  })

  test('an id stays taken after its payment had to make room', async () => {
    const { sandbox, post } = await asking({ maxPayments: 2 })
    for (const id of ['a', 'b', 'c']) await post(`/payouts/${id}`)
    expect(sandbox.payouts.list().map(({ id }) => id)).toEqual(['b', 'c'])
    expect((await post('/payouts/a')).status).toBe(409)
  })
})
