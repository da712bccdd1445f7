import { GatewayClient } from 'merchant-gateway'
import { expect, test } from 'vitest'
import { createSandbox, type SandboxExchange } from '../../src/index.js'

const headers = { accept: 'application/json', 'x-api-version': '2' }

test('whoever watches gets every exchange, and can change none', async () => {
  const exchanges: SandboxExchange[] = []
  const sandbox = createSandbox({
    clock: 'virtual',
    strictness: 'specification',
    onExchange(exchange) {
      exchanges.push(exchange)
      throw new Error('no matter')
    },
  })
  await using client = new GatewayClient(sandbox.clientOptions())
  await client.currencies.list()
  const refused = await sandbox.fetch('https://gateway.invalid/balances', { headers })
  expect(refused.status).toBe(401)
  sandbox.fault({ route: '*', action: { kind: 'drop-before' } })
  await expect(sandbox.fetch('https://gateway.invalid/balances', { headers })).rejects.toThrow(TypeError)
  await sandbox.close()
  expect(exchanges.map(({ request, status, meaning }) => [request.route, status, meaning])).toEqual([
    ['POST /auth-tokens', 200, 'done'],
    ['GET /currencies', 200, 'done'],
    // Said here although the response has no body, as the specification shows it.
    ['GET /balances', 401, 'Authorization: Bearer <token> is missing.'],
    ['GET /balances', undefined, 'the connection is reset in place of a response'],
  ])
  expect(exchanges.at(-1)?.request.fault).toBe('drop-before')
  for (const { tookMs } of exchanges) expect(tookMs).toBeGreaterThanOrEqual(0)
})

test.each([
  ['cut-body', 'done, and the response breaks off in its body'],
  ['stall-body', 'done, and the response stops in its body'],
  ['html', 'made up by a fault'],
  ['rate-limit', 'More than the allowed requests per second; not processed.'],
] as const)('%s means: %s', async (kind, meaning) => {
  const meanings: string[] = []
  const seen = new AbortController()
  const sandbox = createSandbox({
    onExchange({ request, meaning }) {
      if (request.route !== 'GET /currencies') return
      meanings.push(meaning)
      seen.abort()
    },
  })
  await using client = new GatewayClient(sandbox.clientOptions())
  sandbox.fault({ route: 'GET /currencies', action: { kind } })
  await client.currencies.list({ signal: seen.signal }).catch(() => {})
  await sandbox.close()
  expect(meanings).toEqual([meaning])
})
