import { afterEach, expect, test, vi } from 'vitest'
import { redisBroadcast } from '../../../src/shared/redis/index.js'

afterEach(() => {
  vi.useRealTimers()
})

test('a close of a broadcast waits a second for a Redis that is away, and no longer', async () => {
  vi.useFakeTimers()
  const never = () => new Promise<never>(() => {})
  const subscriber = { subscribe: async () => undefined, unsubscribe: vi.fn(never) }
  const broadcast = redisBroadcast({ connection: { sendCommand: never }, subscriber })
  broadcast.subscribe(() => undefined)
  const closed = broadcast.close()
  await vi.advanceTimersByTimeAsync(1_000)
  await closed
  expect(subscriber.unsubscribe).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})

test('and none for one that refuses', async () => {
  vi.useFakeTimers()
  const subscriber = {
    subscribe: async () => undefined,
    unsubscribe: () => Promise.reject(new Error('away')),
  }
  const broadcast = redisBroadcast({ connection: { sendCommand: async () => null }, subscriber })
  broadcast.subscribe(() => undefined)
  await broadcast.close()
  expect(vi.getTimerCount()).toBe(0)
})
