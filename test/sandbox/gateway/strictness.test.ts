import { describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/src/index.js'
import { GatewayClient, isGatewayError, money } from '../../../src/index.js'
import {
  BODY_HEADERS,
  bearer,
  create,
  masterToken,
  ORIGIN,
  outcome,
  paymentBody,
  stillSandbox,
  tokenRequest,
} from '../support.js'

const strict = (options: SandboxOptions = {}) => stillSandbox({ strictness: 'specification', ...options })

async function answerTo(sandbox: Sandbox, path: string, init?: RequestInit): Promise<unknown> {
  const headers = bearer(await masterToken(sandbox))
  return (await outcome(sandbox.fetch(ORIGIN + path, init ?? { headers }))).json
}

describe("with strictness: 'specification'", () => {
  test('a payin is created with the fields of section 2 and no others', async () => {
    const sandbox = strict()
    const body = paymentBody()
    expect(await answerTo(sandbox, '/payins/one', create(await masterToken(sandbox), body))).toEqual({
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
    const sandbox = strict()
    const body = JSON.stringify({
      paymentRequested: { money: { amount: 1, currencyCode: 'EUR' } },
      paymentMethod: { paymentMethodCode: 'VAPAY' },
    })
    const answer = await answerTo(sandbox, '/payins/one', create(await masterToken(sandbox), body))
    expect(answer).toMatchObject({ paymentMethodResponse: { account: {} } })
    expect(JSON.stringify(answer)).not.toContain('accountNumber')
  })

  test('a payin that is looked up shows its status, and nothing else', async () => {
    const sandbox = strict()
    await answerTo(sandbox, '/payins/one', create(await masterToken(sandbox)))
    expect(await answerTo(sandbox, '/payins/one')).toEqual({ process: { status: 'CREATED' } })
    sandbox.payins.get('one').settle('SUCCESS')
    expect(await answerTo(sandbox, '/payins/one')).toEqual({ process: { status: 'SUCCESS' } })
  })

  test('a payout is created and looked up with the fields of section 2 and no others', async () => {
    const sandbox = strict()
    const requested = { paymentRequested: { money: { amount: 100, currencyCode: 'EUR' } } }
    const method = { paymentMethodResponse: { paymentMethodCode: 'VAPAY', idPayout: 'one' } }
    const made = await answerTo(sandbox, '/payouts/one', create(await masterToken(sandbox)))
    expect(made).toEqual({ ...requested, ...method })
    sandbox.payouts.get('one').settle('SUCCESS')
    expect(await answerTo(sandbox, '/payouts/one')).toEqual({
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

  test('an answer whose fields are not shown has none, and there is no path of account data', async () => {
    const sandbox = strict()
    for (const path of ['/balances', '/currencies', '/payment-operators']) {
      expect(await answerTo(sandbox, path)).toEqual({})
    }
    await answerTo(sandbox, '/payins/one', create(await masterToken(sandbox)))
    const headers = bearer(await masterToken(sandbox))
    const account = await sandbox.fetch(`${ORIGIN}/payins/one/customer-account`, { headers })
    expect(account.status).toBe(404)
    const named = strict({ customerAccountPath: '/accounts/{idPayin}' })
    await answerTo(named, '/payins/one', create(await masterToken(named)))
    expect(await answerTo(named, '/accounts/one')).toEqual({})
  })

  test('a refusal has a status, no body, and no header that says why', async () => {
    const sandbox = strict({ retryAfter: 'seconds', rateLimit: 4 })
    const token = await masterToken(sandbox)
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

  test('an answer has no header but the type of its body', async () => {
    const sandbox = strict()
    const headers = bearer(await masterToken(sandbox))
    const response = await sandbox.fetch(`${ORIGIN}/merchant-info`, { headers })
    expect(await response.json()).toEqual({ channelInfo: { name: 'Sandbox Shop' } })
    expect([...response.headers.keys()]).toEqual(['content-type'])
  })

  test('magic payments are served as without it', async () => {
    const sandbox = strict()
    const body = paymentBody({ amount: 6001 })
    const made = await answerTo(sandbox, '/payins/one', create(await masterToken(sandbox), body))
    expect(made).toMatchObject({ paymentMethodResponse: { paymentMethodCode: null } })
    expect(await answerTo(sandbox, '/payins/one')).toEqual({ process: { status: 'CREATED' } })
  })

  test('the client takes and finds payments, waits for them, and knows a repetition', async () => {
    await using sandbox = createSandbox({ strictness: 'specification', settleAfterMs: 0 })
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
      const sandbox = stillSandbox({ payinStatusIn: 'top', strictness })
      await answerTo(sandbox, '/payins/one', create(await masterToken(sandbox)))
      const payin = await answerTo(sandbox, '/payins/one')
      expect(payin).toMatchObject({ status: 'CREATED' })
      expect(payin).not.toHaveProperty('process')
      sandbox.fault({ route: 'GET /payins/{idPayin}', action: { kind: 'unknown-status' } })
      expect(await answerTo(sandbox, '/payins/one')).toMatchObject({ status: 'UNDER_REVIEW' })
    }
  })

  test.each([
    ['code', { code: 'TOKEN_MISSING', message: expect.any(String) }],
    ['errors', { errors: [{ code: 'TOKEN_MISSING', detail: expect.any(String) }] }],
  ] as const)('errors may have the form %s', async (errorFormat, expected) => {
    const sandbox = strict({ errorFormat })
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
