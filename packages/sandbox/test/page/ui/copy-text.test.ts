import { describe, expect, test } from 'vitest'
import { asCode, asCurl, asTest, type Copied } from '../../../src/page/ui/requests/copy.js'

const place = {
  baseUrl: 'http://127.0.0.1:4010',
  basePath: '',
  merchantCode: 'M-0001',
  timestampUnit: 'seconds',
} as const

const requests: readonly (readonly [Copied, call: string])[] = [
  [
    { method: 'POST', path: '/payins/order%201', body: '{"paymentMethod":{"paymentMethodCode":"VAPAY"}}' },
    'payins.create({\n  idPayin: "order 1",\n  paymentMethod: {\n    paymentMethodCode: "VAPAY"\n  }\n})',
  ],
  [{ method: 'GET', path: '/payouts/a', body: null }, 'payouts.retrieve("a")'],
  [{ method: 'GET', path: '/balances?currencies=EUR,USD', body: null }, 'balances.list()'],
  [{ method: 'GET', path: '/currencies', body: null }, 'currencies.list()'],
  [{ method: 'GET', path: '/payment-operators', body: null }, 'paymentOperators.list()'],
  [{ method: 'GET', path: '/merchant-info', body: null }, 'merchantInfo.retrieve()'],
  [
    {
      method: 'POST',
      path: '/payins/!availablePaymentOptions',
      body: '{"money":{"amount":1,"currencyCode":"EUR"}}',
    },
    'payins.paymentOptions({\n  amount: 1,\n  currencyCode: "EUR"\n})',
  ],
  [
    {
      method: 'POST',
      path: '/auth-tokens',
      body: '{"merchantCode":"M-0001","timestamp":1,"operations":["GET /balances"]}',
    },
    'authTokens.create({\n  operations: [\n    "GET /balances"\n  ]\n})',
  ],
  [
    { method: 'GET', path: '/payins/a/customer-account', body: null },
    'request({\n  method: "GET",\n  path: "/payins/a/customer-account",\n  operations: [\n    "GET /payins/a/customer-account"\n  ]\n})',
  ],
]

describe('a request that is copied', () => {
  test.each(requests)('is a call of the SDK: %j', (request, call) => {
    expect(asCode(request, place)).toContain(`const response = await client.${call}\n`)
  })

  test('says that what is masked has to be put in', () => {
    const request = {
      method: 'POST',
      path: '/payins/a',
      body: '{"secret":"[redacted]"}',
    }
    expect(asCode(request, place)).toContain('are masked here')
    expect(asCurl(request, place)).toContain('are masked here')
    expect(asTest(request, '', null)).toContain('are masked here')
  })

  test.each([
    [
      { kind: 'drop-after', route: 'create', hasParameters: false },
      'sandbox.fault({ route: "create", action: { kind: "drop-after" } })',
    ],
    [
      { kind: 'delay', route: '*', hasParameters: true },
      '// It met the fault delay: add it by sandbox.fault',
    ],
  ])('is a test that meets the same fault: %j', (fault, line) => {
    expect(asTest({ method: 'GET', path: '/balances', body: null }, '', fault)).toContain(`\n  ${line}`)
  })

  test('asks at the base path, by a path that stays as it is', () => {
    const below = { ...place, baseUrl: `${place.baseUrl}/api`, basePath: '/api' }
    const copied = asCurl({ method: 'GET', path: "/api/payins/it's[1]..", body: null }, below)
    expect(copied).toContain(
      "curl -i -X GET 'http://127.0.0.1:4010/api/payins/it'\\''s[1]..' \\\n  --globoff --path-as-is",
    )
    expect(copied).toContain("curl -s -X POST 'http://127.0.0.1:4010/api/auth-tokens'")
  })
})

test('nothing in copied code is hidden, or looks like something else', () => {
  const body = '{"note":"\\u202e\\u2066x"}'
  const request = { method: 'POST', path: '/payins/order%E2%80%AE1', body }
  const code = asCode(request, place)
  expect(code).toContain('idPayin: "order\\u202e1"')
  for (const text of [code, asCurl(request, place), asTest(request, '', null)]) {
    expect(text).not.toMatch(/[\p{Cf}\u2028\u2029\u0080-\u00ff]/u)
  }
})
