import { createServer } from 'node:http'
import { expect, test, vi } from 'vitest'
import { runHere } from '../../packages/cli/test/here.js'
import { run } from '../../packages/cli/test/support.js'
import { handMadeGateway, text } from '../faults/servers.js'
import { listen } from '../support/listening.js'
import { elsewhere } from './places.js'

// Some start a program, on machines that may have other things to do.
vi.setConfig({ testTimeout: 30_000 })

const merchant = {
  GATEWAY_MERCHANT_CODE: 'M-CANARY',
  GATEWAY_MERCHANT_SECRET: 'canary-secret',
  GATEWAY_CALLBACK_SECRET: 'canary-callback-secret-of-32-bytes-or-more',
}

test.each([['doctor'], ['payin', 'get', 'order-1'], ['payout', 'get', 'order-1'], ['balances']])(
  'a gateway that redirects leads "%s" nowhere',
  async (...args) => {
    await using other = await elsewhere()
    const redirect = text(307, '', { location: `${other.url}/auth-tokens` })
    await using gateway = await handMadeGateway({ token: [redirect], lookUp: [redirect], create: [redirect] })
    const { code, stdout, stderr } = await run(args, { env: { ...merchant, GATEWAY_BASE_URL: gateway.url } })
    expect(code).toBe(1)
    expect(gateway.requests.length).toBeGreaterThan(0)
    expect(other.connections()).toBe(0)
    expect(stdout + stderr).not.toMatch(/canary-/)
  },
)

const canary = 'canary-s3cret-of-a-merchant'
const pem = `-----BEGIN PRIVATE KEY-----\n${'canary'.repeat(10)}\n-----END PRIVATE KEY-----\n`
const base64 = `MII${'canary/'.repeat(40)}`

const nobody = { ...merchant, GATEWAY_BASE_URL: 'http://127.0.0.1:1' }

test.each([
  [canary],
  ['token', canary],
  ['token', 'inspect', canary],
  ['token', 'inspect', canary, canary],
  ['token', 'inspect', pem],
  [pem],
  ['doctor', canary],
  ['doctor', `--key=${canary}`],
  ['sandbox', '--public-key', pem],
  ['sandbox', '--public-key', base64],
  ['sandbox', '--public-key', canary],
  ['sandbox', '--port', canary],
  ['sandbox', '--limiter', canary],
  ['keygen', '--out', pem],
  ['keygen', '--out', base64],
  ['keygen', '--bits', canary],
  ['balances', canary],
  ['balances', 'EUR', pem],
  ['payin', canary],
  ['payin', 'get', 'a', canary],
  ['payin', 'get', `${canary}/x`],
  ['payouts', canary],
  ['payouts', 'send', canary],
  ['payouts', 'send', canary, '--format', 'csv'],
  ['payouts', 'send', pem],
  ['payouts', 'status', canary],
  ['payouts', 'refused', canary, '--format', canary],
  ['payouts', 'report', 'a.csv', '--out', pem],
  ['callback', 'send', canary],
  ['trigger', canary],
  ['trigger', 'paid', '--sandbox', `http://u:${canary}@127.0.0.1`],
  ['trigger', 'paid', '--callback-url', canary],
  ['listen', '--forward-to', canary],
  ['listen', '--forward-to', `http://127.0.0.1/${canary}`],
  ['sandbox', '--timestamp-unit', canary],
  ['sandbox', '--settle-after', canary],
])('what was typed in a wrong place is not repeated: %s %s', async (...args) => {
  const { code, stdout, stderr } = await runHere(args, nobody)
  expect(code).toBeGreaterThan(0)
  expect(stdout + stderr).not.toMatch(/canary/)
})

test.each([
  ['merchant-gateway', ['payin', 'get', `${canary}/x`], {}],
  ['merchant-gateway-sandbox', ['sandbox', '--public-key', pem], { ofSandbox: true }],
] as const)('nor does what %s prints beside its own lines', async (_, args, options) => {
  const { code, stdout, stderr } = await run(args, { ...options, env: nobody })
  expect(code).toBe(2)
  expect(stdout + stderr).not.toMatch(/canary/)
})

test('"callback send" sends nothing of the environment, to whomever it sends', async () => {
  await using handler = await elsewhere()
  const env = { ...merchant, GATEWAY_BASE_URL: 'https://gateway.example' }
  const { code } = await run(['callback', 'send', `${handler.url}/hooks/x`], { env })
  expect(code).toBe(0)
  expect(handler.received()).toMatch(/^POST \/hooks\/x HTTP\/1.1\r\n/)
  expect(handler.received()).not.toMatch(/canary|authorization|x-signature/i)
})

test('"callback send" follows no redirect of a handler', async () => {
  await using other = await elsewhere()
  const handler = createServer((_request, response) => {
    response.writeHead(307, { location: `${other.url}/` }).end()
  })
  const port = await listen(handler)
  const { code, stdout } = await run(['callback', 'send', `http://127.0.0.1:${port}/`])
  expect(stdout).toMatch(/^307 /)
  expect(code).toBe(1)
  expect(other.connections()).toBe(0)
  handler.closeAllConnections()
  handler.close()
})
