import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, openGateway } from './gateway.js'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../../', import.meta.url))

// No browser is needed for what a hostile one would send.
describe('the server of the sandbox page', () => {
  let gateway: Gateway

  beforeAll(async () => {
    gateway = await openGateway()
  })
  afterAll(() => gateway.close())

  test.each([
    ['ESM', ['--input-type=module', '-e'], "import { createSandbox } from 'merchant-gateway-sandbox'"],
    ['CommonJS', ['-e'], "const { createSandbox } = require('merchant-gateway-sandbox')"],
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
    const { status, headers } = await fetch(gateway.url)
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    )
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    })
  })
})
