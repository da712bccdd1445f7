import { execFile } from 'node:child_process'
import { request as httpRequest } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { type Gateway, openGateway } from './gateway.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../../', import.meta.url))

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** By node:http, because fetch sets the Host header by itself. */
function ask(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body = '',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, path, headers, method, host: '127.0.0.1' }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

// No browser is needed for what a hostile one would send.
describe('the server of the sandbox page', () => {
  let gateway: Gateway
  const json = { 'content-type': 'application/json' }

  beforeAll(async () => {
    gateway = await openGateway({ merchantSecret: 'a-secret-of-the-merchant' })
    await gateway.payin('order-1')
  })
  afterAll(() => gateway.close())

  test('is not there without page: true', async () => {
    await using sandbox = createSandbox()
    const { port } = await sandbox.listen()
    for (const path of ['/_sandbox/', '/_sandbox/api/payments', '/_sandbox/page.js', '/_sandbox/api/live']) {
      expect((await ask(port, path, { 'x-api-version': '2' })).status).toBe(404)
    }
  })

  test.each([
    [
      'an ECMAScript module',
      ['--input-type=module', '-e'],
      "import { createSandbox } from 'merchant-gateway-sandbox'",
    ],
    ['a CommonJS module', ['-e'], "const { createSandbox } = require('merchant-gateway-sandbox')"],
  ])('is found by the built package as %s', async (_what, args, load) => {
    const program = `${load}
      const sandbox = createSandbox()
      sandbox.listen({ page: true }).then(async ({ url }) => {
        const files = ['', 'page.js', 'style.css']
        const answers = await Promise.all(files.map((file) => fetch(url + '/_sandbox/' + file)))
        console.log(...answers.map(({ status }) => status))
        await sandbox.close()
      })`
    const { stdout, stderr } = await run(process.execPath, [...args, program], { cwd: root })
    expect({ stdout, stderr }).toEqual({ stdout: '200 200 200\n', stderr: '' })
  })

  test('allows nothing from elsewhere: content policy, no framing, no sniffing, no caching', async () => {
    const { status, headers } = await ask(gateway.port, '/_sandbox/')
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    )
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  const setStatus = '/_sandbox/api/payments/payin/order-1/status'
  const reads = ['/_sandbox/', '/_sandbox/page.js', '/_sandbox/api/payments', '/_sandbox/api/live']

  test.each([
    ['a foreign Host (DNS rebinding)', { host: 'evil.example' }],
    ['the right name and a wrong port', { host: '127.0.0.1:1' }],
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['the Origin of another port', { origin: 'http://127.0.0.1:1' }],
    ['an opaque Origin', { origin: 'null' }],
    ['a request that the browser calls cross-site', { 'sec-fetch-site': 'cross-site' }],
  ])('refuses %s, for reading and for acting', async (_what, headers) => {
    for (const path of reads) expect((await ask(gateway.port, path, headers)).status).toBe(403)
    const answer = await ask(gateway.port, setStatus, { ...json, ...headers }, 'POST', '{"status":"SUCCESS"}')
    expect(answer.status).toBe(403)
    expect(gateway.sandbox.payins.get('order-1').status).toBe('PENDING')
  })

  test('takes JSON only, so that no form of another site reaches it', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await ask(gateway.port, setStatus, form, 'POST', 'status=SUCCESS')).status).toBe(415)
    expect((await ask(gateway.port, setStatus, json, 'POST', '{')).status).toBe(400)
    expect((await ask(gateway.port, setStatus, json, 'POST', `"${'x'.repeat(70_000)}"`)).status).toBe(413)
    expect((await ask(gateway.port, setStatus, json, 'POST', '{"status":7}')).status).toBe(400)
    expect((await ask(gateway.port, setStatus, {}, 'GET')).status).toBe(404)
  })

  test.each([
    '/_sandbox/../package.json',
    '/_sandbox/%2e%2e/package.json',
    '/_sandbox/__proto__',
    '/_sandbox/api/x',
  ])('has nothing at %s', async (path) => {
    expect((await ask(gateway.port, path)).status).toBe(404)
  })

  test('gives a window of the list, however much is asked for', async () => {
    const { text } = await ask(gateway.port, '/_sandbox/api/payments?offset=-5&limit=1e9')
    expect(JSON.parse(text)).toMatchObject({ held: 1, total: 1, offset: 0, rows: [{ id: 'order-1' }] })
  })

  test('masks the secret of a request wherever it stands', async () => {
    const secret = 'a-secret-of-the-merchant'
    const operations = [`GET /payins/order-1`, `GET /payins/${secret}`]
    const headers = { ...json, accept: 'application/json', 'x-api-version': '2', 'x-note': `it is ${secret}` }
    const body = JSON.stringify({ merchantCode: 'SANDBOX-MERCHANT', secret, operations })
    const minted = await ask(gateway.port, '/auth-tokens', headers, 'POST', body)
    const { token } = JSON.parse(minted.text)
    const read = { accept: 'application/json', 'x-api-version': '2', authorization: `Bearer ${token}` }
    const noted = await ask(gateway.port, `/payins/order-1?token=${token}`, {
      ...read,
      'x-session-token': 'abc',
    })
    expect(noted.status).toBe(200)
    const { length } = gateway.sandbox.requests
    const paths = [`requests/${length - 1}`, `requests/${length}`, 'payments/payin/order-1']
    const shown = paths.map(async (path) => (await ask(gateway.port, `/_sandbox/api/${path}`)).text)
    const text = (await Promise.all(shown)).join()
    expect(text).toContain('"secret\\": \\"[redacted]\\"')
    expect(text).toContain('"x-session-token","[redacted]"')
    expect(text).not.toContain(secret)
    expect(text).not.toContain('eyJ')
  })

  test('says by a number whether anything has changed', async () => {
    const changes = async () => JSON.parse((await ask(gateway.port, '/_sandbox/api/live')).text).changes
    const before = await changes()
    expect(await changes()).toBe(before)
    await gateway.payin('one-more')
    expect(await changes()).not.toBe(before)
  })
})
