import { expect, test } from 'vitest'
import { runHere } from '../../packages/cli/test/here.js'
import { run } from '../../packages/cli/test/support.js'
import { handMadeGateway, text } from '../faults/servers.js'
import { elsewhere } from './places.js'

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
  [pem],
  ['doctor', canary],
  ['doctor', `--key=${canary}`],
  ['keygen', '--out', pem],
  ['keygen', '--out', base64],
  ['keygen', '--bits', canary],
  ['balances', 'EUR', pem],
  ['payin', 'get', 'a', canary],
  ['payin', 'get', `${canary}/x`],
  ['payouts', 'send', canary],
  ['payouts', 'status', canary],
])('what was typed in a wrong place is not repeated: %s %s', async (...args) => {
  const { code, stdout, stderr } = await runHere(args, nobody)
  expect(code).toBeGreaterThan(0)
  expect(stdout + stderr).not.toMatch(/canary/)
})
