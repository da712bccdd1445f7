import { expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/src/index.js'
import { familyOperations } from '../../src/client/auth/scopes.js'
import { GatewayClient, money, operation } from '../../src/index.js'

const id = 'order-1'
const payment = {
  paymentRequested: { money: money('10.50', 'EUR') },
  paymentMethod: { paymentMethodCode: 'VAPAY', account: { accountNumber: '000123-0123456789' } },
}

/** What docs/tokens.md says that each kind of token allows, against everything that it might. */
const requests = {
  'payment options': [
    'POST',
    '/payins/!availablePaymentOptions',
    { money: { amount: 1, currencyCode: 'EUR' } },
  ],
  'creating this payin': ['POST', `/payins/${id}`, payment],
  'reading this payin': ['GET', `/payins/${id}`],
  'creating another payin': ['POST', '/payins/order-2', payment],
  'reading another payin': ['GET', '/payins/order-0'],
  'creating a payout': ['POST', '/payouts/w-1', payment],
  'reading a payout': ['GET', '/payouts/w-0'],
  'reading the balances': ['GET', '/balances'],
} as const

test('a token for PAYIN_CREATE allows payment options, and creating and reading its payin', async () => {
  await using sandbox = await withPayments()
  await using client = new GatewayClient(sandbox.clientOptions())
  const { token } = await client.authTokens.createByAction({ action: 'PAYIN_CREATE', idPayment: id })
  expect(await allowedBy(sandbox, token.reveal())).toEqual([
    'payment options',
    'creating this payin',
    'reading this payin',
  ])
})

test('a shareable token allows reading its payin, and nothing else', async () => {
  await using sandbox = await withPayments()
  await using client = new GatewayClient(sandbox.clientOptions())
  const token = await client.authTokens.shareable({ idPayin: id, validitySecs: 60 })
  expect(await allowedBy(sandbox, token)).toEqual(['reading this payin'])
})

test('a token by operations allows the operations that are listed', async () => {
  await using sandbox = await withPayments()
  await using client = new GatewayClient(sandbox.clientOptions())
  const operations = [operation('GET', '/payouts/{idPayout}', { idPayout: 'w-0' })]
  const { token } = await client.authTokens.create({ operations })
  expect(await allowedBy(sandbox, token.reveal())).toEqual(['reading a payout'])
})

test('the tokens that the client keeps for itself are for one family each', async () => {
  await using sandbox = await withPayments()
  await using client = new GatewayClient(sandbox.clientOptions())
  for (const [family, expected] of [
    [
      'payins',
      [
        'payment options',
        'creating this payin',
        'reading this payin',
        'creating another payin',
        'reading another payin',
      ],
    ],
    ['payouts', ['creating a payout', 'reading a payout']],
    ['account', ['reading the balances']],
  ] as const) {
    const { token } = await client.authTokens.create({ operations: familyOperations[family] })
    expect(await allowedBy(sandbox, token.reveal()), family).toEqual(expected)
  }
})

test('a process that only takes payins never asks for a token that can pay out', async () => {
  await using sandbox = await withPayments()
  sandbox.clearLogs()
  await using client = new GatewayClient(sandbox.clientOptions())
  await client.payins.create({ ...payment, idPayin: 'order-3' })
  const asked = sandbox.requests.filter(({ path }) => path.startsWith('/auth-tokens'))
  expect(asked).toHaveLength(1)
  expect(asked[0]?.bodyText).not.toContain('payouts')
})

/** Which requests a token is let through with: whatever comes of them, not 403. */
async function allowedBy(sandbox: Sandbox, token: string): Promise<string[]> {
  const allowed: string[] = []
  for (const [name, [method, path, body]] of Object.entries(requests)) {
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-api-version': '2',
      authorization: `Bearer ${token}`,
    }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const { status } = await sandbox.fetch(`https://gateway.example${path}`, init)
    if (status !== 403) allowed.push(name)
  }
  return allowed
}

async function withPayments(): Promise<Sandbox> {
  const sandbox = createSandbox({ rateLimit: false })
  await using client = new GatewayClient(sandbox.clientOptions())
  await client.payins.create({ ...payment, idPayin: 'order-0' })
  await client.payouts.create({ ...payment, idPayout: 'w-0' })
  return sandbox
}
