import { execFile } from 'node:child_process'
import { request as httpRequest } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

  beforeAll(async () => {
    gateway = await openGateway({ merchantSecret: 'a-secret-of-the-merchant' })
    await gateway.payin('order-1')
  })
  afterAll(() => gateway.close())

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
})
