import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  QueueFullError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnusableResponseError,
} from '../../src/errors.js'
import { isFinal, type PaymentLike } from '../../src/payments/final.js'
import { Wakes } from '../../src/payments/wakes.js'
import { watchPayment } from '../../src/payments/watch.js'
import { outcome, wait, withStatus } from './fake-wait.js'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

describe('an error during a wait', () => {
  it.each([
    new ConnectionError('x.'),
    new TimeoutError('x.'),
    new ServerError('x.'),
    new RateLimitError('x.'),
    new QueueFullError('x.'),
    new NotFoundError('x.'),
  ])('that may pass is waited out: $code', async (error) => {
    const { result, lookedAt } = wait([error, error, withStatus('SUCCESS')], { maxWaitMs: 60_000 })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await result).toEqual(withStatus('SUCCESS'))
    expect(lookedAt).toHaveLength(3)
  })

  it.each([new AuthenticationError('x.'), new PermissionError('x.'), new UnusableResponseError('x.')])(
    'that stays ends it: $code',
    async (error) => {
      const { result } = wait([withStatus('NEW'), error], { maxWaitMs: 60_000 })
      const ended = outcome(result)
      await vi.advanceTimersByTimeAsync(2_000)
      expect(await ended).toEqual({ error })
    },
  )

  it('is the cause when the payment was not seen in all that time', async () => {
    const cause = new ServerError('down.')
    const { result } = wait([cause], { maxWaitMs: 5_000 })
    const ended = outcome(result)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await ended).toMatchObject({ error: { code: 'wait_timeout', cause } })
    expect(await ended).toMatchObject({ error: { message: expect.stringContaining('it was not seen once') } })
  })
})

describe('a wait that somebody ends', () => {
  it('by the caller’s signal is aborted at once, with the reason and without listeners left', async () => {
    const controller = new AbortController()
    const { result } = wait([withStatus('NEW')], { maxWaitMs: 60_000, signal: controller.signal })
    const ended = outcome(result)
    await vi.advanceTimersByTimeAsync(100)
    controller.abort('enough')
    expect(await ended).toMatchObject({ error: { code: 'aborted', cause: 'enough', idPayin: 'order-1' } })
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  })

  it('by closing the client says so', async () => {
    const client = new AbortController()
    const { result } = wait([withStatus('NEW')], { maxWaitMs: 60_000 }, { end: client.signal })
    const ended = outcome(result)
    await vi.advanceTimersByTimeAsync(100)
    client.abort()
    expect(await ended).toMatchObject({ error: { code: 'client_closed', idPayin: 'order-1' } })
    expect(getEventListeners(client.signal, 'abort')).toHaveLength(0)
  })

  it('by leaving the loop leaves nothing behind', async () => {
    const client = new AbortController()
    const source = {
      kind: 'payout' as const,
      id: 'order-1',
      look: () => Promise.resolve(withStatus('NEW')),
      isFinal,
      wakes: new Wakes<PaymentLike>(),
      closing: client.signal,
      callbacksArrive: () => false,
    }
    for await (const payment of watchPayment(source, { maxWaitMs: 60_000 })) {
      expect(payment).toEqual(withStatus('NEW'))
      break
    }
    expect(getEventListeners(client.signal, 'abort')).toHaveLength(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})
