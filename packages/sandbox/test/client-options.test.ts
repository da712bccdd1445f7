import { expect, test } from 'vitest'
import { GatewayClient } from '../../../src/index.js'
import { createSandbox, type SandboxOptions } from '../src/index.js'

const DAY_MS = 86_400_000

test('the options for a client of an ordinary sandbox name nothing that a client does by itself', async () => {
  await using sandbox = createSandbox()
  expect(Object.keys(sandbox.clientOptions()).sort()).toEqual([
    'baseUrl',
    'fetch',
    'live',
    'merchantCode',
    'privateKey',
  ])
  await using strict = createSandbox({ rateLimit: 3, limiter: 'evenly-spaced' })
  expect(strict.clientOptions()).not.toHaveProperty('rateLimit')
})

test('a client of a sandbox without a limiter has none', async () => {
  await using sandbox = createSandbox({ rateLimit: false, clock: 'virtual' })
  expect(sandbox.clientOptions()).toMatchObject({ rateLimit: false })
  const client = new GatewayClient(sandbox.clientOptions())
  // At ten a second they would outlast this test.
  await Promise.all(Array.from({ length: 100 }, () => client.merchantInfo.retrieve()))
  await client.close()
})

test.each<[string, SandboxOptions]>([
  ['whose time was long ago', { startAt: 1_000_000_000_000 }],
  ['whose time is turned by hand', { startAt: new Date('2040-01-01'), clock: 'virtual' }],
  ['that counts in milliseconds', { timestampUnit: 'milliseconds' }],
  ['below a path', { basePath: '/api/v2' }],
  ['of another merchant', { merchantCode: 'M-7' }],
  ['with another field for tokens', { tokenField: 'a.b' }],
  ['that shows the specification only', { strictness: 'specification' }],
])('the options for a client are all that it needs of a sandbox %s', async (_which, options) => {
  await using sandbox = createSandbox({ rateLimit: false, ...options })
  const client = new GatewayClient(sandbox.clientOptions())
  expect(await client.merchantInfo.retrieve()).toHaveProperty('channelInfo')
  await client.close()
})

test("a client's time follows a virtual clock, and not a clock that is made wrong", async () => {
  await using sandbox = createSandbox({ rateLimit: false, clock: 'virtual' })
  const client = new GatewayClient(sandbox.clientOptions())
  await sandbox.clock.advance(DAY_MS)
  await client.merchantInfo.retrieve()
  sandbox.clock.skew(DAY_MS)
  await client.close()
  const { now } = sandbox.clientOptions()
  expect(sandbox.clock.now() - (now?.() ?? 0)).toBe(DAY_MS)
})
