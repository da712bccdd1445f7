import { expect, test, vi } from 'vitest'
import { toldAway } from '../../../src/payments/bullmq/store-away.js'

test('a call of a queue whose store gives no answer ends within half a minute, and leaves no timer', async () => {
  vi.useFakeTimers()
  const told = toldAway('redis')
  const calling = told(() => new Promise(() => {}))().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await calling).toMatchObject({ code: 'connection' })
  expect(await told(async (n: number) => n)(1)).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})
