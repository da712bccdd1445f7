import { expect, test, vi } from 'vitest'
import { ConnectionError } from '../../../src/index.js'
import { findJob } from '../../../src/jobs/bullmq/open-queue.js'
import { toldAway } from '../../../src/jobs/bullmq/store-away.js'

test('a call of a queue whose store gives no answer ends within half a minute, and leaves no timer', async () => {
  vi.useFakeTimers()
  const told = toldAway('redis')
  const calling = told(() => new Promise(() => {}))().catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await calling).toMatchObject({ code: 'connection' })
  expect(await told(async (n: number) => n)(1)).toBe(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('a call under way ends when its queue is closed, and one after that asks nothing', async () => {
  const closed = new AbortController()
  const told = toldAway('redis', closed.signal)
  const calling = told(() => new Promise(() => {}))().catch((error: unknown) => error)
  closed.abort()
  const error = { code: 'connection', message: expect.stringContaining('this queue was closed') }
  expect(await calling).toMatchObject(error)
  const call = vi.fn(async () => 1)
  await expect(told(call)()).rejects.toMatchObject(error)
  expect(call).not.toHaveBeenCalled()
})

test('a job is not looked for again in a store that is away', async () => {
  const away = new ConnectionError('the store is away')
  const getJobCounts = vi.fn()
  await expect(findJob({ getJob: () => Promise.reject(away), getJobCounts }, 'job')).rejects.toBe(away)
  expect(getJobCounts).not.toHaveBeenCalled()
})
