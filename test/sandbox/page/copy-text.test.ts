import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asCode, asCurl, type Copied } from '../../../sandbox/src/desk/page/requests/copy-text.js'
import { createSandbox, type Sandbox } from '../../../sandbox/src/index.js'
import { paymentBody, privatePem } from '../support.js'

const run = promisify(execFile)
const place = { origin: 'http://127.0.0.1:4010', basePath: '', merchantCode: 'M-0001' }

const requests: readonly (readonly [Copied, call: string])[] = [
  [
    { method: 'POST', path: '/payins/order%201', body: '{"paymentMethod":{"paymentMethodCode":"VAPAY"}}' },
    'payins.create({\n  idPayin: "order 1",\n  paymentMethod: {\n    paymentMethodCode: "VAPAY"\n  }\n})',
  ],
  [{ method: 'GET', path: '/payouts/a', body: null }, 'payouts.retrieve("a")'],
  [
    { method: 'GET', path: '/balances?currencies=EUR,USD', body: null },
    'balances.list({\n  currencies: [\n    "EUR",\n    "USD"\n  ]\n})',
  ],
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
    expect(asCode(request, place)).toContain(`const answer = await client.${call}\n`)
  })

  test('says that what is masked has to be put in', () => {
    const request = {
      method: 'POST',
      path: '/payins/a',
      body: '{"paymentMethod":{"account":{"accountNumber":"…6789"}}}',
    }
    for (const text of [asCode(request, place), asCurl(request, place)])
      expect(text).toContain('are masked here')
  })
})

test('nothing in copied code is hidden, or looks like something else', () => {
  const body = '{"note":"\\u202e\\u2066x","__proto__":{"a":1},"idPayin":"another"}'
  const hidden = /[\p{Cf}\u2028\u2029\u0080-\u00ff]/u
  const request = { method: 'POST', path: '/payins/order%E2%80%AE1?n=\u00e9', body }
  const code = asCode(request, place)
  expect(code).toContain('idPayin: "order\\u202e1"')
  expect(code).toContain('["__proto__"]: {')
  expect(code).not.toContain('another')
  for (const text of [code, asCurl(request, place)]) expect(text).not.toMatch(hidden)
  expect(asCurl(request, place)).toContain('n=%e9')
})

describe('as curl', () => {
  let sandbox: Sandbox
  let origin: string
  const folder = mkdtempSync(join(tmpdir(), 'curl-'))
  const seen = () => sandbox.requests.map(({ method, path, verdict }) => `${method} ${path} ${verdict}`)

  beforeAll(async () => {
    sandbox = createSandbox({
      merchantCode: 'M-0001',
      privateKey: privatePem,
      basePath: '/api',
      rateLimit: false,
    })
    origin = (await sandbox.listen()).url
    writeFileSync(join(folder, 'private-key.pem'), privatePem, { mode: 0o600 })
  })
  afterAll(async () => {
    await sandbox.close()
    rmSync(folder, { recursive: true })
  })

  test.each<[Copied, string[]]>([
    [
      { method: 'POST', path: "/api/payins/it's%20(1)", body: paymentBody() },
      ['POST /api/auth-tokens OK', "POST /api/payins/it's%20(1) OK"],
    ],
    [
      { method: 'GET', path: '/api/balances?currencies=EUR,USD', body: null },
      ['POST /api/auth-tokens OK', 'GET /api/balances?currencies=EUR,USD OK'],
    ],
    [
      {
        method: 'POST',
        path: '/api/auth-tokens',
        body: '{"merchantCode":"M-0001","operations":["GET /balances"],"timestamp":1}',
      },
      ['POST /api/auth-tokens OK'],
    ],
    [
      { method: 'GET', path: '/api/balances?currencies=[EUR,USD]&more={a,b}', body: null },
      ['POST /api/auth-tokens OK', 'GET /api/balances?currencies=[EUR,USD]&more={a,b} OK'],
    ],
    [
      { method: 'GET', path: '/api/../balances', body: null },
      ['POST /api/auth-tokens OK', 'GET /api/../balances NOT_FOUND'],
    ],
  ])('it is sent by a shell as it was: %j', async (request, expected) => {
    sandbox.clearLogs()
    const script = asCurl(request, { origin, basePath: '/api', merchantCode: 'M-0001' })
    expect(script).not.toMatch(/eyJ[\w-]{4}/)
    const { PATH = '' } = process.env
    const { stdout } = await run('sh', ['-c', script], { cwd: folder, env: { PATH } })
    expect(stdout).toMatch(expected.at(-1)?.endsWith(' OK') ? /^HTTP\/1.1 200 OK/ : /^HTTP\/1.1 404/)
    expect(seen()).toEqual(expected)
  })

  test('no method of somebody else’s runs a command', async () => {
    const request = { method: "GET`touch$IFS'canary'`", path: '/api/balances', body: null }
    const script = asCurl(request, { origin, basePath: '/api', merchantCode: 'M-0001' })
    const { PATH = '' } = process.env
    await run('sh', ['-c', script], { cwd: folder, env: { PATH } }).catch(() => {})
    expect(readdirSync(folder)).toEqual(['private-key.pem'])
  })
})
