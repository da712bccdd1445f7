import { expect, test } from 'vitest'
import { createSandbox } from '../../packages/sandbox/src/index.js'
import { GatewayClient } from '../../src/index.js'
import { create } from '../faults/support.js'
import { expectNeverMoreThan, watchSends, watchStalls } from './arrivals.js'

// Real sockets, the machine's own clock, and the sandbox's own limiter: npx vitest run --config test/load/vitest.config.ts
test('500 creates at once over real sockets go out ten in a second, and are accepted each once', async () => {
  using sends = watchSends()
  await using sandbox = createSandbox({ payinMethods: ['BANK_TRANSFER'] })
  await sandbox.listen()
  await using client = new GatewayClient(sandbox.clientOptions())
  using stalls = watchStalls()
  const results = await Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      create(client, n % 2 === 0 ? 'payin' : 'payout', { id: `order-${n}` }),
    ),
  )
  for (const result of results) expect(result).toMatchObject({ replayed: false })
  expect(sandbox.payins.size + sandbox.payouts.size).toBe(500)
  expectNeverMoreThan(10, sends.times)
  const refused = sandbox.requests.filter(({ status }) => status !== 200)
  expect(refused.filter(({ status }) => status !== 429)).toEqual([])
  expect(refused.length).toBeLessThanOrEqual(stalls.most())
  // A token of each kind, and what was refused comes again.
  expect(sandbox.requests.length).toBe(502 + refused.length)
  expect(sends.times.length).toBe(sandbox.requests.length)
}, 100_000)

test('50 more after a pause of the machine’s own stay within the limit', async () => {
  using sends = watchSends()
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
  using stalls = watchStalls()
  for (const result of await Promise.all(results)) expect(result).toMatchObject({ replayed: false })
  expectNeverMoreThan(10, sends.times)
  const refused = sandbox.requests.filter(({ status }) => status !== 200)
  expect(refused.length).toBeLessThanOrEqual(stalls.most())
}, 60_000)

test.concurrent.each(['sliding-window', 'fixed-window', 'token-bucket', 'evenly-spaced'] as const)(
  '60 payins against a gateway with a %s take seconds and not a minute',
  async (limiter) => {
    await using sandbox = createSandbox({ limiter, payinMethods: ['BANK_TRANSFER'] })
    await sandbox.listen()
    await using client = new GatewayClient(sandbox.clientOptions())
    using stalls = watchStalls()
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: 60 }, (_, n) => create(client, 'payin', { id: `order-${n}` })))
    const tookMs = performance.now() - startedAt
    const refused = sandbox.requests.filter(({ status }) => status === 429).length
    expect(sandbox.payins.size).toBe(60)
    expect(refused).toBeLessThanOrEqual(limiter === 'evenly-spaced' ? 5 : stalls.most())
    expect(tookMs).toBeLessThan(30_000)
  },
)
