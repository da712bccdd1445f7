import { describe, expect, test } from 'vitest'
import { GatewayClient, isGatewayError, money } from '../../../../src/index.js'
import { createSandbox, type SandboxOptions } from '../../src/index.js'
import {
  asking,
  BODY_HEADERS,
  bearer,
  create,
  ORIGIN,
  outcome,
  paymentBody,
  stillSandbox,
  tokenRequest,
} from '../support.js'

/** A sandbox that shows the specification only, unless the options say otherwise, and the JSON of its responses. */
async function strict(options: SandboxOptions = {}) {
  const { get, post, ...at } = await asking({ strictness: 'specification', ...options })
  const json = async (response: Promise<Response>) => (await outcome(response)).json
  return {
    ...at,
    get: (path: string) => json(get(path)),
    post: (path: string, body?: string) => json(post(path, body)),
  }
}

describe("with strictness: 'specification'", () => {
  test('a payin is created with the fields of section 2 and no others', async () => {
    const { post } = await strict()
    expect(await post('/payins/one')).toEqual({
      paymentRequested: { money: { amount: 100, currencyCode: 'EUR' } },
      paymentMethodResponse: {
        idPayin: 'one',
        paymentMethodCode: 'VAPAY',
        account: {
          accountName: 'Jana Nováková',
          accountNumber: '000123-0123456789',
          bankCode: 'HARBOUR',
          bankName: 'Harbour Bank',
        },
        money: { amount: 100, currencyCode: 'EUR' },
        expireAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        reference: expect.stringMatching(/^\d{12}$/),
        returnUrl: 'https://shop.example/back',
      },
    })
  })

  test('a payin that names no account is shown none', async () => {
    const { post } = await strict()
    const body = JSON.stringify({
      paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
      paymentMethod: { paymentMethodCode: 'VAPAY' },
    })
    const answer = await post('/payins/one', body)
    expect(answer).toMatchObject({ paymentMethodResponse: { account: {} } })
    expect(JSON.stringify(answer)).not.toContain('accountNumber')
  })

  test('a payin that is looked up shows its status, and nothing else', async () => {
    const { sandbox, get, post } = await strict()
    await post('/payins/one')
    expect(await get('/payins/one')).toEqual({ process: { status: 'CREATED' } })
    sandbox.payins.get('one').pay()
    expect(await get('/payins/one')).toEqual({ process: { status: 'SUCCESS' } })
  })

  test('a payout is created and looked up with the fields of section 2 and no others', async () => {
    const { sandbox, get, post } = await strict()
    const requested = { paymentRequested: { money: { amount: 100, currencyCode: 'EUR' } } }
    const method = { paymentMethodResponse: { paymentMethodCode: 'VAPAY', idPayout: 'one' } }
    expect(await post('/payouts/one')).toEqual({ ...requested, ...method })
    sandbox.payouts.get('one').pay()
    expect(await get('/payouts/one')).toEqual({
      ...requested,
      ...method,
      process: {
        status: 'SUCCESS',
        createdAt: expect.any(String),
        processedAt: expect.any(String),
        isTest: true,
      },
      fee: { amount: 1, currencyCode: 'EUR' },
    })
  })

  test('a response whose fields are not shown has none, and there is no path of account data', async () => {
    const { sandbox, token, get, post } = await strict()
    for (const path of ['/balances', '/currencies', '/payment-operators']) {
      expect(await get(path)).toEqual({})
    }
    await post('/payins/one')
    const headers = bearer(token)
    const account = await sandbox.fetch(`${ORIGIN}/payins/one/customer-account`, { headers })
    expect(account.status).toBe(404)
    const named = await strict({ customerAccountPath: '/accounts/{idPayin}' })
    await named.post('/payins/one')
    expect(await named.get('/accounts/one')).toEqual({})
  })

  test('a refusal has a status, no body, and no header that says why', async () => {
    const { sandbox, token } = await strict({ retryAfter: 'seconds', rateLimit: 4 })
    const refused = [
      await sandbox.fetch(`${ORIGIN}/balances`, { headers: bearer('x') }),
      await sandbox.fetch(`${ORIGIN}/balances`, create(token)),
      await sandbox.fetch(`${ORIGIN}/auth-tokens`, tokenRequest(sandbox, { operations: ['GET'] })),
      await sandbox.fetch(`${ORIGIN}/balances`, { headers: bearer(token) }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([401, 405, 400, 429])
    expect(await Promise.all(refused.map((response) => response.text()))).toEqual(['', '', '', ''])
    expect(refused.map(({ headers }) => [...headers.keys()].join())).toEqual(['', '', '', 'retry-after'])
    expect(sandbox.requests.map(({ verdict }) => verdict).slice(1)).toEqual([
      'TOKEN_INVALID',
      'METHOD_NOT_ALLOWED',
      'INVALID_OPERATIONS',
      'TOO_MANY_REQUESTS',
    ])
  })

  test('a response has no header but the type of its body', async () => {
    const { sandbox, token } = await strict()
    const headers = bearer(token)
    const response = await sandbox.fetch(`${ORIGIN}/merchant-info`, { headers })
    expect(await response.json()).toEqual({ channelInfo: { name: 'Sandbox Shop' } })
    expect([...response.headers.keys()]).toEqual(['content-type'])
  })

  test('magic payments are served as without it', async () => {
    const { get, post } = await strict()
    const made = await post('/payins/one', paymentBody({ amount: 6001 }))
    expect(made).toMatchObject({ paymentMethodResponse: { paymentMethodCode: null } })
    expect(await get('/payins/one')).toEqual({ process: { status: 'CREATED' } })
  })

  test('the client takes and finds payments, waits for them, and knows a repetition', async () => {
    await using sandbox = createSandbox({ strictness: 'specification', payAfterMs: 0 })
    const client = new GatewayClient(sandbox.clientOptions())
    const request = {
      idPayin: 'one',
      paymentRequested: { money: money('10.50', 'EUR') },
      paymentMethod: { paymentMethodCode: 'VAPAY', paymentOperatorCode: 'HARBOUR' },
    }
    const payin = await client.payins.create(request)
    expect(payin).toMatchObject({ idPayin: 'one', replayed: false })
    expect((await client.payins.waitFor('one', { maxWaitMs: 5000 })).process?.status).toBe('SUCCESS')
    const again = await client.payins.create(request)
    expect(again).toMatchObject({
      idPayin: 'one',
      replayed: true,
      process: { status: 'SUCCESS' },
      notCompared: expect.arrayContaining(['paymentRequested.money.amount']),
    })
    await client.close()
  })
})

describe('what a gateway may be like', () => {
  test('a token may be all of a text', async () => {
    await using sandbox = stillSandbox({ tokenFormat: 'text' })
    const request = tokenRequest(sandbox, { operations: ['GET /merchant-info'] })
    const response = await sandbox.fetch(`${ORIGIN}/auth-tokens`, request)
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    const token = await response.text()
    const headers = bearer(token)
    expect((await sandbox.fetch(`${ORIGIN}/merchant-info`, { headers })).status).toBe(200)
  })

  test('the status of a payin may stand at the top', async () => {
    for (const strictness of ['specification', 'generous'] as const) {
      const { sandbox, get, post } = await strict({ payinStatusIn: 'top', strictness })
      await post('/payins/one')
      const payin = await get('/payins/one')
      expect(payin).toMatchObject({ status: 'CREATED' })
      expect(payin).not.toHaveProperty('process')
      sandbox.fault({ route: 'GET /payins/{idPayin}', action: { kind: 'unknown-status' } })
      expect(await get('/payins/one')).toMatchObject({ status: 'UNDER_REVIEW' })
    }
  })

  test.each([
    ['code', { code: 'TOKEN_MISSING', message: expect.any(String) }],
    ['errors', { errors: [{ code: 'TOKEN_MISSING', detail: expect.any(String) }] }],
  ] as const)('errors may have the form %s', async (errorFormat, expected) => {
    const { sandbox } = await strict({ errorFormat })
    const response = sandbox.fetch(`${ORIGIN}/merchant-info`, { headers: BODY_HEADERS })
    expect(await outcome(response)).toEqual({ status: 401, json: expected })
  })

  test('validitySecs may have a cap, and a client that asks for more is refused', async () => {
    await using sandbox = stillSandbox({ maxValiditySecs: 300 })
    const client = new GatewayClient(sandbox.clientOptions())
    const error = await client.merchantInfo.retrieve().catch((caught: unknown) => caught)
    expect(isGatewayError(error) && error.message).toContain('from 1 to 300')
    await client.close()
    const modest = new GatewayClient({ ...sandbox.clientOptions(), tokenValiditySecs: 300 })
    expect(await modest.merchantInfo.retrieve()).toHaveProperty('channelInfo')
    await modest.close()
  })
})
