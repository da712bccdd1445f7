import { expect, it } from 'vitest'
import { clientOf, paymentRequest } from '../faults/support.js'
import { collectGarbage } from '../support/garbage.js'
import { bearer } from '../support/gateway.js'

async function heapUsed(): Promise<number> {
  await collectGarbage(3)
  return process.memoryUsage().heapUsed
}

it('a create that waits for its permit costs no more than 6 KB of the heap, its caller’s promise included', async () => {
  const count = 5_000
  let granting = true
  const acquire = () => (granting ? undefined : new Promise<void>(() => {}))
  const fetch: typeof globalThis.fetch = async (input) =>
    Response.json(String(input).includes('/auth-tokens') ? { token: bearer } : {})
  const client = clientOf('https://gateway.example', 'fetch', { fetch, rateLimit: { acquire } })
  const request = paymentRequest()
  const start = (n: number) => client.payins.create({ idPayin: `order-${n}`, ...request }).catch(() => {})
  for (let n = 0; n < 50; n++) await start(n)
  granting = false
  const held: Promise<unknown>[] = Array.from({ length: count }, () => Promise.resolve())
  const before = await heapUsed()
  for (let n = 0; n < count; n++) held[n] = start(n)
  const bytes = ((await heapUsed()) - before) / count
  await client.close()
  await Promise.all(held)
  expect(bytes).toBeLessThan(6 * 1024)
})
