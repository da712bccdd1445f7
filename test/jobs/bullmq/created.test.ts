import { expect, test, vi } from 'vitest'
import { createdOf } from '../../../src/jobs/bullmq/created.js'
import { jobSeal } from '../../../src/jobs/bullmq/job-seal.js'

const account = { account: 'shop', deriveKey: () => Buffer.alloc(32, 1) }
const never = () => new Promise<never>(() => {})
const parts = {
  kind: 'payin',
  queue: { getJob: never, getJobCounts: never },
  seal: jobSeal(account, 'payin', { name: 'payins' }),
} as const

test('a store that says nothing holds a page no longer than it waits for, or than its signal lets it', async () => {
  vi.useFakeTimers()
  const late = expect(createdOf(parts, 'a', { maxWaitMs: 3_000 })).rejects.toMatchObject({
    code: 'wait_timeout',
    message: expect.stringContaining('the store has not said'),
  })
  await vi.advanceTimersByTimeAsync(3_000)
  await late
  const controller = new AbortController()
  const left = expect(createdOf(parts, 'a', { signal: controller.signal })).rejects.toMatchObject({
    code: 'aborted',
  })
  controller.abort()
  await left
  expect(vi.getTimerCount()).toBe(0)
})
