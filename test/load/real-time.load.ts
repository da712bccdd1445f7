import { expect, test } from 'vitest'
import { createSandbox } from '../../sandbox/src/index.js'
import { GatewayClient } from '../../src/index.js'
import { create } from '../faults/support.js'
import { expectNeverMoreThan } from './arrivals.js'

// Real sockets, the machine's own clock, and the sandbox's own limiter: npm run test:load
test('500 creates at once over real sockets meet no 429, and are accepted each once', async () => {
  await using sandbox = createSandbox({ payinMethods: ['BANK_TRANSFER'] })
  await sandbox.listen()
  await using client = new GatewayClient(sandbox.clientOptions())
  const results = await Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      create(client, n % 2 === 0 ? 'payin' : 'payout', { id: `order-${n}` }),
    ),
  )
  for (const result of results) expect(result).toMatchObject({ replayed: false })
  expect(sandbox.payins.size + sandbox.payouts.size).toBe(500)
  expect(sandbox.requests.length).toBe(502)
  expect(sandbox.requests.filter(({ status }) => status !== 200)).toEqual([])
  // The log counts whole milliseconds.
  expectNeverMoreThan(
    10,
    sandbox.requests.map(({ at }) => at),
    999,
  )
}, 100_000)

test('50 more after a pause of the machine’s own stay within the limit', async () => {
  await using sandbox = createSandbox({ payinMethods: ['BANK_TRANSFER'] })
  await sandbox.listen()
  await using client = new GatewayClient(sandbox.clientOptions())
  await create(client, 'payin', { id: 'first' })
  // A thread that was busy, as a garbage collection or a large file makes it: everything comes late and at once.
  const results = Array.from({ length: 50 }, (_, n) => create(client, 'payout', { id: `order-${n}` }))
  for (let stop = 0; stop < 3; stop++) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const until = performance.now() + 700
    while (performance.now() < until);
  }
  for (const result of await Promise.all(results)) expect(result).toMatchObject({ replayed: false })
  expect(sandbox.requests.filter(({ status }) => status !== 200)).toEqual([])
}, 60_000)

test.each(['sliding-window', 'fixed-window', 'token-bucket', 'evenly-spaced'] as const)(
  '60 payins against a gateway with a %s take seconds and not a minute, with a 429 or two where it counts evenly',
  async (limiter) => {
    await using sandbox = createSandbox({ limiter, payinMethods: ['BANK_TRANSFER'] })
    await sandbox.listen()
    await using client = new GatewayClient(sandbox.clientOptions())
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: 60 }, (_, n) => create(client, 'payin', { id: `order-${n}` })))
    const tookMs = performance.now() - startedAt
    const refused = sandbox.requests.filter(({ status }) => status === 429).length
    expect(sandbox.payins.size).toBe(60)
    expect(refused).toBeLessThanOrEqual(limiter === 'evenly-spaced' ? 5 : 0)
    expect(tookMs).toBeLessThan(30_000)
  },
)
