import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PaymentLike } from '../../../src/client/payments/status.js'
import { watchSource } from '../../../src/client/payments/watch.js'
import { outcome, sourceOf, wait, withStatus } from './fake-wait.js'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => expect(vi.getTimerCount()).toBe(0))

describe('a wait for a payment', () => {
  it('looks at once and ends with the final payment', async () => {
    const { result, lookedAt, seen } = wait([withStatus('SUCCESS')], { maxWaitMs: 1_000 })
    expect(await result).toEqual(withStatus('SUCCESS'))
    expect(lookedAt).toEqual([0])
    expect(seen).toEqual(['SUCCESS'])
  })

  it('tells of every status once, at first sight and when it has changed', async () => {
    const statuses = ['NEW', 'NEW', 'PENDING', 'PENDING', 'PENDING', 'SUCCESS'].map(withStatus)
    const { result, seen } = wait(statuses, { maxWaitMs: 60_000 })
    await vi.advanceTimersByTimeAsync(60_000)
    await result
    expect(seen).toEqual(['NEW', 'PENDING', 'SUCCESS'])
  })

  it('ends when the payment has been processed under the status that it had', async () => {
    const processed = { process: { status: 'REJECTED', processedAt: '2026-11-21T07:00:00.000Z' } }
    const { result, yielded } = wait([withStatus('REJECTED'), processed], { maxWaitMs: 60_000 })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await result).toBe(processed)
    expect(yielded).toEqual([withStatus('REJECTED'), processed])
  })

  it('names the option statuses when the last status is in no list of it', async () => {
    const { result } = wait([withStatus('COMPLETED')], { maxWaitMs: 5_000 })
    const ended = outcome(result)
    await vi.advanceTimersByTimeAsync(5_000)
    const message = expect.stringMatching(/last status was COMPLETED \(.* list it in the option statuses\)/)
    expect(await ended).toMatchObject({ error: { code: 'wait_timeout', message } })
  })

  it('ends at once with what a callback has shown, and gives up a look that waits for its permit', async () => {
    const { result, listeners, lookedAt } = wait(
      [withStatus('PENDING')],
      { maxWaitMs: 60_000 },
      { lookMs: 9_000 },
    )
    await vi.advanceTimersByTimeAsync(100)
    listeners.notify('order-1', withStatus('NEW'))
    await vi.advanceTimersByTimeAsync(4_000)
    expect(lookedAt).toHaveLength(2)
    listeners.notify('order-1', withStatus('SUCCESS'))
    expect(await result).toEqual(withStatus('SUCCESS'))
    expect(Date.now()).toBe(4_100)
  })

  it('goes on where another process tells of the payment before the look is given up', async () => {
    const { result, listeners, lookedAt } = wait(
      [withStatus('PENDING'), withStatus('SUCCESS')],
      { maxWaitMs: 60_000 },
      { lookMs: 9_000 },
    )
    await vi.advanceTimersByTimeAsync(100)
    listeners.notify('order-1', withStatus('NEW'))
    listeners.notify('order-1', undefined)
    await vi.advanceTimersByTimeAsync(9_000)
    expect(await result).toEqual(withStatus('SUCCESS'))
    expect(lookedAt).toEqual([0, 100])
  })

  it('names the option statuses when no status could be read in all that time', async () => {
    const { result } = wait([{ paymentRequested: {} }], { maxWaitMs: 5_000 })
    const ended = outcome(result)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await ended).toMatchObject({
      error: {
        code: 'wait_timeout',
        message: expect.stringMatching(/no status was found.*the option statuses/),
      },
    })
  })

  it('spreads its looks by a fifth, so that many waits do not look together', async () => {
    vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValue(0.999)
    const { result, lookedAt } = wait([withStatus('PENDING')], { maxWaitMs: 5_000 })
    const ended = outcome(result)
    await vi.advanceTimersByTimeAsync(5_000)
    await ended
    expect(lookedAt[1]).toBe(800)
    expect((lookedAt[2] ?? 0) - 800).toBeGreaterThan(1_790)
  })

  it('looks once more before it gives up, where a callback was lost', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const statuses = ['PENDING', 'PENDING', 'SUCCESS'].map(withStatus)
    const { result, lookedAt } = wait(statuses, { maxWaitMs: 9_000 }, { callbacksArrive: true })
    await vi.advanceTimersByTimeAsync(9_000)
    expect(await result).toEqual(withStatus('SUCCESS'))
    expect(lookedAt).toEqual([0, 4_000, 8_000])
  })

  it('ends after maxWaitMs with the payment as it was seen last', async () => {
    const { result } = wait([withStatus('PENDING')], { maxWaitMs: 10_000 })
    const ended = outcome(result)
    await vi.advanceTimersByTimeAsync(9_999)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await ended).toMatchObject({
      error: {
        code: 'wait_timeout',
        idPayin: 'order-1',
        lastPayment: withStatus('PENDING'),
        message:
          'the payin was not final after maxWaitMs (10000 ms), its last status was PENDING (if a payment ends with that at this gateway, list it in the option statuses); its money may still move, so look again later and never create it under another id.',
      },
    })
  })
})

describe('a notification', () => {
  it('makes a wait look at once', async () => {
    const { result, lookedAt, listeners } = wait([withStatus('NEW'), withStatus('SUCCESS')], {
      maxWaitMs: 60_000,
    })
    await vi.advanceTimersByTimeAsync(100)
    listeners.notify('order-1', undefined)
    await result
    expect(lookedAt).toEqual([0, 100])
  })

  it('that comes during a look is not lost', async () => {
    const answers = [withStatus('NEW'), withStatus('SUCCESS')]
    const { result, lookedAt, listeners } = wait(answers, { maxWaitMs: 60_000 }, { lookMs: 50 })
    await vi.advanceTimersByTimeAsync(20)
    listeners.notify('order-1', undefined)
    await vi.advanceTimersByTimeAsync(100)
    await result
    expect(lookedAt).toEqual([0, 50])
  })

  it('that brings the payment saves the look', async () => {
    const { result, lookedAt, listeners } = wait([withStatus('NEW')], { maxWaitMs: 60_000 })
    await vi.advanceTimersByTimeAsync(100)
    listeners.notify('order-1', withStatus('SUCCESS'))
    expect(await result).toEqual(withStatus('SUCCESS'))
    expect(lookedAt).toEqual([0])
  })

  it('right behind one that brought the payment has a look of its own, and ends nothing', async () => {
    const { result, lookedAt, seen, listeners } = wait(
      [withStatus('CREATED'), withStatus('SUCCESS')],
      { maxWaitMs: 60_000 },
      { lookMs: 500 },
    )
    await vi.advanceTimersByTimeAsync(100)
    listeners.notify('order-1', withStatus('PENDING'))
    listeners.notify('order-1', undefined)
    await vi.advanceTimersByTimeAsync(500)
    expect(await result).toEqual(withStatus('SUCCESS'))
    expect(lookedAt).toEqual([0, 100])
    expect(seen).toEqual(['PENDING', 'SUCCESS'])
  })

  it('in front of one that brings the payment wants no look any more', async () => {
    const { result, lookedAt, listeners } = wait(
      [withStatus('CREATED')],
      { maxWaitMs: 60_000 },
      { lookMs: 500 },
    )
    await vi.advanceTimersByTimeAsync(100)
    listeners.notify('order-1', undefined)
    listeners.notify('order-1', withStatus('SUCCESS'))
    expect(await result).toEqual(withStatus('SUCCESS'))
    expect(lookedAt).toEqual([0])
  })

  it('that brought the final payment counts, however long the loop over the statuses takes', async () => {
    const { source, listeners } = sourceOf(() => Promise.resolve(withStatus('PENDING')))
    const seen: PaymentLike[] = []
    for await (const payment of watchSource(source, { maxWaitMs: 1_000 })) {
      seen.push(payment)
      listeners.notify('order-1', withStatus('SUCCESS'))
      await vi.advanceTimersByTimeAsync(5_000)
    }
    expect(seen).toEqual([withStatus('PENDING'), withStatus('SUCCESS')])
  })

  it('of another payment does nothing', async () => {
    const { result, lookedAt, listeners } = wait([withStatus('NEW')], { maxWaitMs: 700 })
    const ended = outcome(result)
    listeners.notify('order-2', withStatus('SUCCESS'))
    await vi.advanceTimersByTimeAsync(500)
    expect(lookedAt).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(await ended).toMatchObject({ error: { code: 'wait_timeout' } })
  })
})
