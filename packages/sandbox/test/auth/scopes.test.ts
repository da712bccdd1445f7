import { describe, expect, test } from 'vitest'
import { bearer, codeOf, create, mint, ORIGIN, paymentBody, stillSandbox } from '../support.js'

const everything = [
  ['POST', '/payins/!availablePaymentOptions'],
  ['POST', '/payins/one'],
  ['GET', '/payins/one'],
  ['GET', '/payins/one/customer-account'],
  ['POST', '/payins/two'],
  ['GET', '/payins/two'],
  ['POST', '/payouts/one'],
  ['GET', '/payouts/one'],
  ['GET', '/merchant-info'],
  ['GET', '/balances'],
  ['GET', '/balances?currencies=EUR'],
  ['GET', '/currencies'],
  ['GET', '/payment-operators'],
] as const

/** Which of the calls a token is allowed to make; whether they then succeed does not matter. */
async function allowed(fields: Record<string, unknown>): Promise<string[]> {
  const sandbox = stillSandbox()
  const token = await mint(sandbox, fields)
  const passed: string[] = []
  for (const [method, path] of everything) {
    const init = method === 'POST' ? create(token) : { headers: bearer(token) }
    const response = await sandbox.fetch(ORIGIN + path, init)
    if (response.status !== 403) passed.push(`${method} ${path}`)
    else expect(await codeOf(response)).toBe('OUT_OF_SCOPE')
  }
  return passed
}

describe('a token by action', () => {
  test('PAYIN_CREATE lists options, creates its payin and reads it, and does nothing else', async () => {
    expect(await allowed({ action: 'PAYIN_CREATE', idPayment: 'one' })).toEqual([
      'POST /payins/!availablePaymentOptions',
      'POST /payins/one',
      'GET /payins/one',
    ])
  })

  test('PAYIN_INFO reads its payin, and does nothing else', async () => {
    expect(await allowed({ action: 'PAYIN_INFO', idPayment: 'one' })).toEqual(['GET /payins/one'])
  })

  test('is for the id and not for its spelling in the path', async () => {
    const sandbox = stillSandbox()
    const token = await mint(sandbox, { action: 'PAYIN_CREATE', idPayment: 'a b/ž' })
    const response = await sandbox.fetch(`${ORIGIN}/payins/a%20b%2F%C5%BE`, create(token))
    expect(response.status).toBe(200)
    expect(sandbox.payins.get('a b/ž').status).toBe('CREATED')
  })
})

describe('a token by operations', () => {
  test.each<[string[], string[]]>([
    [['GET /payins/one'], ['GET /payins/one']],
    [['POST /payins/one'], ['POST /payins/one']],
    [['GET /payins/on'], []],
    [['GET /payins/onee'], []],
    [['GET /payins/...'], ['GET /payins/one', 'GET /payins/two']],
    [['GET /payins/one|two'], ['GET /payins/one']],
    [['GET /payins/[^/]+'], ['GET /payins/one', 'GET /payins/two']],
    [['GET /payins/.*'], ['GET /payins/one', 'GET /payins/one/customer-account', 'GET /payins/two']],
    [
      ['GET /balances', 'GET /currencies'],
      ['GET /balances', 'GET /balances?currencies=EUR', 'GET /currencies'],
    ],
    [['GET /balances\\?currencies=EUR'], []],
    [['POST /payins/!availablePaymentOptions'], ['POST /payins/!availablePaymentOptions']],
    [['PUT /payins/one'], []],
    [['GET /(^|)merchant-info$'], ['GET /merchant-info']],
    [['GET /(?:payins|payouts)/\\w{3}'], ['GET /payins/one', 'GET /payins/two', 'GET /payouts/one']],
    [['GET /payins/(?!one).*'], ['GET /payins/two']],
    [['GET ^/payins/.*$'], ['GET /payins/one', 'GET /payins/one/customer-account', 'GET /payins/two']],
    [['GET /payins/[a-z]{1}[(+)]*n[*{]?e'], ['GET /payins/one']],
  ])('%j allows %j', async (operations, expected) => {
    expect(await allowed({ operations })).toEqual(expected)
  })

  test('is matched with the path as sent, percent-encoded', async () => {
    const sandbox = stillSandbox()
    const encoded = await mint(sandbox, { operations: ['POST /payins/a%20b'] })
    const decoded = await mint(sandbox, { operations: ['POST /payins/a b'] })
    expect((await sandbox.fetch(`${ORIGIN}/payins/a%20b`, create(decoded))).status).toBe(403)
    expect((await sandbox.fetch(`${ORIGIN}/payins/a%20b`, create(encoded))).status).toBe(200)
  })
})

test('a path of more than 1000 characters is in the scope of no pattern', async () => {
  const sandbox = stillSandbox()
  const token = await mint(sandbox, { operations: ['GET /payins/.*'] })
  const status = async (id: string) =>
    (await sandbox.fetch(`${ORIGIN}/payins/${id}`, { headers: bearer(token) })).status
  expect([await status('a'.repeat(992)), await status('a'.repeat(993))]).toEqual([404, 403])
})

describe('a token with money', () => {
  const money = { amount: 10.5, currencyCode: 'EUR' }
  const everything = ['GET /.*', 'POST /.*']

  test.each([
    [10.5, 'EUR', 200],
    [10.51, 'EUR', 403],
    [10.5, 'USD', 403],
    [10.5, 'eur', 200],
  ])('answers a create of %d %s with %d', async (amount, currencyCode, status) => {
    for (const path of ['/payins/one', '/payouts/one']) {
      const sandbox = stillSandbox()
      const token = await mint(sandbox, { operations: everything, money })
      const response = await sandbox.fetch(
        ORIGIN + path,
        create(token, paymentBody({ amount, currencyCode })),
      )
      expect(response.status).toBe(status)
      expect(sandbox.payins.size + sandbox.payouts.size).toBe(status === 200 ? 1 : 0)
    }
  })

  test('takes 10.50 for 10.5', async () => {
    const sandbox = stillSandbox()
    const token = await mint(sandbox, { action: 'PAYIN_CREATE', idPayment: 'one', money })
    const body = paymentBody({ amount: 10.5 }).replace('10.5', '10.50')
    expect((await sandbox.fetch(`${ORIGIN}/payins/one`, create(token, body))).status).toBe(200)
  })

  test('does not limit what carries no payment', async () => {
    const sandbox = stillSandbox()
    const token = await mint(sandbox, { operations: everything, money })
    expect((await sandbox.fetch(`${ORIGIN}/balances`, { headers: bearer(token) })).status).toBe(200)
  })
})
