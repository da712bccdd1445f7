import { describe, expect, onTestFinished, test } from 'vitest'
import type { AnswerProfile, GatewayProfile } from '../../../../src/client/profile/gateway-profile.js'
import type { Shape } from '../../../../src/client/profile/shape.js'
import { GatewayClient, isFinal, isGatewayError, isPaid, money, statusOf } from '../../../../src/index.js'
import { caught } from '../../../../test/support/caught.js'
import { hasShape } from '../../src/gateway/profile/fill-shape.js'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/index.js'

type Profile = Omit<GatewayProfile, 'profileVersion'>
const json = (status: number, body: Shape): AnswerProfile => ({
  status,
  contentType: 'application/json',
  body,
})

function open(profile: Profile, options: SandboxOptions = {}) {
  const sandbox = createSandbox({
    profile: { profileVersion: 1, ...profile },
    clock: 'virtual',
    rateLimit: false,
    ...options,
  })
  const client = new GatewayClient({ ...sandbox.clientOptions(), retries: 0 })
  onTestFinished(async () => {
    await client.close()
    await sandbox.close()
  })
  return { sandbox, client }
}

const request = { paymentRequested: { money: money('10.50', 'EUR') } }
const payin = { ...request, idPayin: 'p-1', paymentMethod: { paymentMethodCode: 'VAPAY' } } as const
const payout = {
  ...request,
  idPayout: 'w-1',
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountNumber: '0012345678' } },
} as const

/** A request with a token that the sandbox takes, and what came as it came. */
async function raw(
  { sandbox, client }: ReturnType<typeof open>,
  method: string,
  path: string,
  body?: unknown,
) {
  const { token } = await client.authTokens.create({ operations: [`${method} ${path}`] })
  return answerOf(sandbox, method, path, body, { authorization: `Bearer ${token.reveal()}` })
}

async function answerOf(sandbox: Sandbox, method: string, path: string, body?: unknown, headers = {}) {
  const response = await sandbox.fetch(`https://gateway.sandbox.invalid${path}`, {
    method,
    headers: {
      accept: 'application/json',
      'x-api-version': '2',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text,
    headers: response.headers,
  }
}

describe('tokens of a sandbox with a profile', () => {
  test('have the shape that it shows', async () => {
    const shape = { jwt: 'string', expiresIn: 'number', meta: { region: 'string' } }
    const opened = open({ tokens: { field: 'jwt' }, answers: { 'POST /auth-tokens': json(200, shape) } })
    const seen: unknown[] = []
    const { fetch } = opened.sandbox
    const client = new GatewayClient({
      ...opened.sandbox.clientOptions(),
      fetch: async (...args) => {
        const response = await fetch(...args)
        seen.push(await response.clone().json())
        return response
      },
    })
    await client.currencies.list()
    await client.close()
    expect(seen[0]).toEqual({ jwt: expect.any(String), expiresIn: expect.any(Number), meta: { region: '' } })
  })

  test('stop to be taken when they have expired, also where they do not say it', async () => {
    const { sandbox, client } = open({ tokens: { statesItsEnd: false } })
    const { token } = await client.authTokens.create({
      operations: ['GET /currencies'],
      validitySecs: 60,
    })
    const headers = { authorization: `Bearer ${token.reveal()}` }
    expect((await answerOf(sandbox, 'GET', '/currencies', undefined, headers)).status).toBe(200)
    await sandbox.clock.advance(61_000)
    expect((await answerOf(sandbox, 'GET', '/currencies', undefined, headers)).status).toBe(401)
  })

  test('allow decoded paths where the gateway matches those', async () => {
    const opened = open({ tokens: { idsInOperations: 'decoded' } })
    const { token } = await opened.client.authTokens.create({ operations: ['GET /payins/ä'] })
    const headers = { authorization: `Bearer ${token.reveal()}` }
    expect((await answerOf(opened.sandbox, 'GET', '/payins/%C3%A4', undefined, headers)).status).toBe(404)
  })
})

describe('payments of a sandbox with a profile', () => {
  const flat = {
    payins: {
      statusField: 'state',
      processedAtField: 'endedAt',
      statuses: { NEW: 'passing', BUSY: 'passing', SUCCESS: 'final', NO: 'final' },
    },
    payouts: { statusField: 'data.status', statuses: { SUCCESS: 'final', NO: 'final' } },
    answers: {
      'GET /payins/{idPayin}': json(200, {
        state: 'string',
        'endedAt?': 'string',
        id: 'string',
        risk: { score: 'number' },
      }),
      'POST /payouts/{idPayout}': json(201, {
        paymentRequested: { money: { amount: 'number', currencyCode: 'string' } },
        paymentMethodResponse: { idPayout: 'string' },
        links: [{ href: 'string' }],
      }),
    },
  } satisfies Profile

  test('show where they stand as that gateway does, and a client of the profile reads it', async () => {
    const opened = open(flat)
    const { sandbox, client } = opened
    await client.payins.create(payin)
    await sandbox.clock.advance(1)
    expect(JSON.parse((await raw(opened, 'GET', '/payins/p-1')).text)).toEqual({
      state: 'BUSY',
      id: '',
      risk: { score: 0 },
    })
    await sandbox.clock.advance(2000)
    expect(JSON.parse((await raw(opened, 'GET', '/payins/p-1')).text)).toEqual({
      state: 'SUCCESS',
      endedAt: expect.any(String),
      id: '',
      risk: { score: 0 },
    })
    expect(isPaid(await client.payins.waitFor('p-1', { maxWaitMs: 1000 }))).toBe(true)
  })

  test('end without a time of it where none was seen, and are final all the same', async () => {
    const opened = open(flat)
    const { sandbox, client } = opened
    await client.payouts.create(payout)
    sandbox.payouts.get('w-1')?.settle('FAILED')
    const body = JSON.parse((await raw(opened, 'GET', '/payouts/w-1')).text)
    expect(body).toMatchObject({ data: { status: 'NO' }, process: { createdAt: expect.any(String) } })
    expect(body.process).not.toHaveProperty('processedAt')
    const found = await client.payouts.retrieve('w-1')
    expect([statusOf(found), isFinal(found), isPaid(found)]).toEqual(['NO', true, false])
  })

  test('are created with the fields, the status and the money that the profile shows', async () => {
    const opened = open(flat)
    await opened.client.payouts.create(payout)
    const [, create] = opened.sandbox.requests
    expect(create?.status).toBe(201)
    const again = await raw(opened, 'POST', '/payouts/w-2', payout)
    expect(hasShape(JSON.parse(again.text), flat.answers['POST /payouts/{idPayout}'].body ?? 'any')).toBe(
      true,
    )
    expect(JSON.parse(again.text)).toEqual({
      paymentRequested: { money: { amount: 10.5, currencyCode: 'EUR' } },
      paymentMethodResponse: { idPayout: 'w-2' },
      links: [{ href: '' }],
    })
  })

  test('keep statuses that a test has made up', async () => {
    const { sandbox, client } = open(flat)
    await client.payins.create(payin)
    sandbox.payins.get('p-1')?.settle('ON_HOLD', { processed: false })
    expect(statusOf(await client.payins.retrieve('p-1'))).toBe('ON_HOLD')
  })

  test('meet magic amounts and faults as ever', async () => {
    const { sandbox, client } = open(flat)
    sandbox.fault({ route: 'POST /payins/{idPayin}', times: 1, action: { kind: 'status', status: 503 } })
    expect(await caught(() => client.payins.create(payin))).toMatchObject({ code: 'server' })
    sandbox.fault({
      route: 'GET /payins/{idPayin}',
      times: 1,
      action: { kind: 'mutate', change: { state: 'MUTATED' } },
    })
    await client.payins.create(payin)
    expect(statusOf(await client.payins.retrieve('p-1'))).toBe('MUTATED')
  })
})

describe('lists of a sandbox with a profile have its values under the names of that gateway', () => {
  const options = {
    balances: { EUR: 12.5, USD: 7 },
    payinMethods: ['VAPAY'],
    paymentOperators: [{ code: 'BANK', name: 'A bank' }],
  }
  const route = {
    balances: 'GET /balances',
    currencies: 'GET /currencies',
    operators: 'GET /payment-operators',
    options: 'POST /payins/!availablePaymentOptions',
  }

  test.each<[list: keyof typeof route, shape: Shape, body: unknown]>([
    [
      'balances',
      [{ currency: 'string', balance: 'string', blocked: 'number' }],
      [
        { currency: 'EUR', balance: '12.5', blocked: 0 },
        { currency: 'USD', balance: '7', blocked: 0 },
      ],
    ],
    [
      'balances',
      { items: [{ money: { value: 'number', iso: 'string' } }], at: 'string' },
      {
        items: [{ money: { value: 12.5, iso: 'EUR' } }, { money: { value: 7, iso: 'USD' } }],
        at: '',
      },
    ],
    [
      'balances',
      { data: [{ money: { amount: 'number', currencyCode: 'string' } }] },
      {
        data: [
          { money: { amount: 12.5, currencyCode: 'EUR' } },
          { money: { amount: 7, currencyCode: 'USD' } },
        ],
      },
    ],
    ['balances', { balances: { '*': 'string' } }, { balances: { EUR: '12.5', USD: '7' } }],
    ['balances', { '*': { available: 'number' } }, { EUR: { available: 12.5 }, USD: { available: 7 } }],
    ['balances', { data: [] }, { data: [] }],
    ['currencies', ['string'], ['EUR', 'USD']],
    [
      'currencies',
      { result: { currencies: [{ code: 'string' }] } },
      {
        result: { currencies: [{ code: 'EUR' }, { code: 'USD' }] },
      },
    ],
    [
      'operators',
      { banks: [{ bankCode: 'string', title: 'string', country: 'string' }] },
      {
        banks: [{ bankCode: 'BANK', title: 'A bank', country: '' }],
      },
    ],
    [
      'options',
      { methods: [{ code: 'string', banks: [{ id: 'string', bankName: 'string' }] }] },
      {
        methods: [{ code: 'VAPAY', banks: [{ id: 'BANK', bankName: 'A bank' }] }],
      },
    ],
  ])('%s as %j', async (list, shape, body) => {
    const opened = open({ answers: { [route[list]]: json(200, shape) } }, options)
    const [method = '', path = ''] = route[list].split(' ')
    const asked = list === 'options' ? { money: { amount: 1, currencyCode: 'EUR' } } : undefined
    expect(JSON.parse((await raw(opened, method, path, asked)).text)).toEqual(body)
  })
})

describe('the returnUrl of a payin', () => {
  const returnUrl = 'https://shop.example/thanks'

  test.each<[shape: Shape, found: object]>([
    [
      { paymentMethodResponse: { idPayin: 'string' } },
      { paymentMethodResponse: { idPayin: 'p-1', returnUrl } },
    ],
    [
      { data: { paymentMethodResponse: { idPayin: 'string', returnUrl: 'null' } } },
      { data: { paymentMethodResponse: { idPayin: 'p-1', returnUrl } } },
    ],
    [{ idPayin: 'string' }, { idPayin: 'p-1', returnUrl }],
  ])('is echoed by a gateway of which it was not seen: %j', async (shape, found) => {
    const opened = open({ answers: { 'POST /payins/{idPayin}': json(200, shape) } })
    const answer = await raw(opened, 'POST', '/payins/p-1', { ...payin, returnUrl })
    expect(JSON.parse(answer.text)).toEqual(found)
    const without = await raw(opened, 'POST', '/payins/p-2', payin)
    expect(without.text).not.toContain('https')
  })
})

describe('refusals of a sandbox with a profile', () => {
  const problem: AnswerProfile = {
    status: 422,
    contentType: 'application/problem+json',
    body: { errors: [{ code: 'string', detail: 'string', severity: 'number' }] },
  }
  const refusals = {
    'token-missing': { status: 403 },
    'money-missing': problem,
    'payout-unknown': json(410, { error: { message: 'string' } }),
    'id-repeated': { ...problem, status: 409 },
    'path-unknown': { status: 404, contentType: 'text/html', body: 'text' },
    'api-version-missing': { status: 404, body: 'text' },
    'rate-exceeded': { status: 429, contentType: 'application/json', body: ['string'] },
  } satisfies Profile['refusals']

  test('come with its status, type and body', async () => {
    const opened = open({ refusals })
    const { sandbox } = opened
    expect(await answerOf(sandbox, 'GET', '/balances')).toMatchObject({ status: 403, type: null, text: '' })
    const noMoney = await raw(opened, 'POST', '/payins/p-1', {
      paymentMethod: { paymentMethodCode: 'VAPAY' },
    })
    expect(noMoney).toMatchObject({ status: 422, type: 'application/problem+json' })
    expect(JSON.parse(noMoney.text)).toEqual({
      errors: [{ code: 'INVALID_PAYMENT', detail: 'paymentRequested must be an object.', severity: 0 }],
    })
    const unknown = await raw(opened, 'GET', '/payouts/none')
    expect([unknown.status, JSON.parse(unknown.text)]).toEqual([
      410,
      { error: { message: 'There is no payout with this id.' } },
    ])
    const path = await answerOf(sandbox, 'GET', '/nothing')
    expect(path).toMatchObject({ status: 404, type: 'text/html', text: 'There is no such endpoint.' })
    const noVersion = await answerOf(sandbox, 'GET', '/balances', undefined, { 'x-api-version': '1' })
    expect(noVersion).toMatchObject({ status: 404, text: expect.stringMatching(/^X-API-Version is/) })
  })

  test('of other invalid input are as those that were seen, and of all else as without a profile', async () => {
    const opened = open({ refusals })
    const odd = await raw(opened, 'POST', '/payins/p-1', '{')
    expect([odd.status, JSON.parse(odd.text).errors[0].code]).toEqual([422, 'INVALID_JSON'])
    const wrongToken = await answerOf(opened.sandbox, 'GET', '/balances', undefined, {
      authorization: 'Bearer x',
    })
    expect([wrongToken.status, JSON.parse(wrongToken.text).code]).toEqual([401, 'TOKEN_INVALID'])
  })

  test('of a fault have the shape of the gateway too', async () => {
    const opened = open({ refusals, rate: { retryAfter: 'date' } })
    opened.sandbox.fault({
      route: 'GET /balances',
      times: 1,
      action: { kind: 'rate-limit', retryAfterSecs: 1 },
    })
    const limited = await raw(opened, 'GET', '/balances')
    expect(limited).toMatchObject({ status: 429, text: '[""]' })
    expect(limited.headers.get('retry-after')).toBe('1')
  })

  test('that repeat an id are still found by the client', async () => {
    const { client } = open({ refusals })
    await client.payouts.create(payout)
    expect((await client.payouts.create(payout)).replayed).toBe(true)
  })

  test('above the rate say when to come back as it does', async () => {
    const opened = open({ rate: { retryAfter: 'seconds', counted: 'evenly-spaced' } }, { rateLimit: 1 })
    const first = await answerOf(opened.sandbox, 'GET', '/balances')
    const second = await answerOf(opened.sandbox, 'GET', '/balances')
    expect([first.status, second.status, second.headers.get('retry-after')]).toEqual([401, 429, '1'])
  })
})

describe('callbacks of a sandbox with a profile', () => {
  const callbacks = {
    method: 'PUT',
    headers: ['content-type', 'x-event'],
    contentType: 'application/vnd.event+json',
    body: { event: 'string', data: { id: 'string', attempt: 'number' } },
    tries: 3,
    secondsBetweenTries: [2, 30],
  } satisfies Profile['callbacks']

  async function sent(profile: Profile, options: SandboxOptions = {}) {
    const seen: { readonly at: number; readonly callback: object }[] = []
    const { sandbox, client } = open(profile, {
      deliver: async ({ method, headers, body }) => {
        seen.push({ at: sandbox.clock.now(), callback: { method, headers, body } })
        return { status: 500 }
      },
      settleAfterMs: false,
      ...options,
    })
    await client.payins.create({ ...payin, callbackUrl: 'https://shop.example/callback' })
    await sandbox.clock.advance(100_000)
    return seen.map(({ at, callback }) => ({ afterMs: at - (seen[0]?.at ?? 0), ...callback }))
  }

  test('have its method, headers, type and body, and come again when its do', async () => {
    const body = JSON.stringify({ event: 'payin.changed', data: { id: 'p-1', attempt: 0 } })
    const headers = { 'content-type': 'application/vnd.event+json', 'x-event': 'sandbox' }
    const callback = { method: 'PUT', headers, body }
    expect(await sent({ callbacks })).toEqual([
      { afterMs: 0, ...callback },
      { afterMs: 2000, ...callback },
      { afterMs: 32_000, ...callback },
    ])
  })

  test('are empty where it has no body', async () => {
    const [first] = await sent({ callbacks: { method: 'POST', headers: ['x-api-version'] } })
    expect(first).toMatchObject({ method: 'POST', headers: { 'x-api-version': '2' }, body: '' })
  })

  test('follow options that are given by hand before it', async () => {
    const byHand = { callbackBody: () => ({ own: 1 }), callbackTries: 2, callbackRetryAfterMs: 500 }
    const seen = await sent({ callbacks }, byHand)
    expect(seen).toMatchObject([
      { afterMs: 0, body: '{"own":1}' },
      { afterMs: 500, body: '{"own":1}' },
    ])
  })
})

describe('an option that is given goes before the profile', () => {
  test.each<[options: SandboxOptions]>([
    [{ tokenField: 'mine.token' }],
    [{ tokenFormat: 'text' }],
    [{ timestampUnit: 'seconds' }],
    [{ maxValiditySecs: 30 }],
    [{ payinStatusIn: 'top' }],
    [{ payinStatusIn: 'process' }],
    [{ customerAccountPath: '/payins/{idPayin}/mine' }],
    [{ errorFormat: 'none' }],
  ])('%j, and a client of clientOptions() gets on with it', async (options) => {
    const { sandbox, client } = open(
      {
        tokens: { field: 'data.bearer', timestampUnit: 'milliseconds', longestValiditySecs: 300 },
        payins: { statusField: 'state' },
        answers: {
          'POST /auth-tokens': json(200, { data: { bearer: 'string' } }),
          'GET /payins/{idPayin}': json(200, { state: 'string' }),
        },
        refusals: { 'payin-unknown': json(410, { gone: 'boolean' }) },
        customerAccountPath: '/payins/{idPayin}/theirs',
      },
      options,
    )
    await client.payins.create(payin)
    await sandbox.clock.advance(2000)
    expect(isPaid(await client.payins.retrieve('p-1'))).toBe(true)
    await client.payins.customerAccount('p-1')
    const error = await caught(() => client.payins.retrieve('none'))
    expect(isGatewayError(error) && 'status' in error && error.status).toBe(410)
  })
})

test('a profile that is wrong is refused by its place', () => {
  const profile = JSON.parse('{"profileVersion":1,"payins":{"statusField":"CANARY CANARY"}}')
  expect(() => createSandbox({ profile })).toThrow(
    /^createSandbox: the option profile: payins\.statusField holds characters that don't belong there\.$/,
  )
})
