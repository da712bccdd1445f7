import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PaymentLike } from '../../../src/index.js'
import { outcome, receiverOf, statusGateway, wait, withStatus } from './fake-wait.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
afterEach(() => expect(vi.getTimerCount()).toBe(0))

describe('a wait for a payment', () => {
  it('looks at once and ends with the final payment', async () => {
    const { result, lookedAt, seen } = wait([withStatus('SUCCESS')], { maxWaitMs: 1_000 })
    expect(await result).toEqual(withStatus('SUCCESS'))
    expect(lookedAt).toEqual([0])
    expect(seen()).toEqual(['SUCCESS'])
  })

  it('tells of every status once, at first sight and when it has changed', async () => {
    const statuses = ['NEW', 'NEW', 'PENDING', 'PENDING', 'PENDING', 'SUCCESS'].map(withStatus)
    const { result, seen } = wait(statuses, { maxWaitMs: 60_000 })
    await vi.advanceTimersByTimeAsync(60_000)
    await result
    expect(seen()).toEqual(['NEW', 'PENDING', 'SUCCESS'])
  })

  it('ends when the payment has been processed under the status that it had', async () => {
    const processed = { process: { status: 'REJECTED', processedAt: '2026-11-21T07:00:00.000Z' } }
    const { result, yielded } = wait([withStatus('REJECTED'), processed], { maxWaitMs: 60_000 })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await result).toEqual(processed)
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
    const { result, notify, lookedAt } = wait(
      [withStatus('PENDING')],
      { maxWaitMs: 60_000 },
      { lookMs: 9_000 },
    )
    await vi.advanceTimersByTimeAsync(100)
    notify(withStatus('NEW'))
    await vi.advanceTimersByTimeAsync(4_000)
    expect(lookedAt).toHaveLength(2)
    notify(withStatus('SUCCESS'))
    expect(await result).toEqual(withStatus('SUCCESS'))
  })

  it('goes on where another process tells of the payment before the look is given up', async () => {
    const { result, notify, lookedAt } = wait(
      [withStatus('PENDING'), withStatus('SUCCESS')],
      { maxWaitMs: 60_000 },
      { lookMs: 9_000 },
    )
    await vi.advanceTimersByTimeAsync(100)
    notify(withStatus('NEW'))
    notify()
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

  const patience = { maxWaitMs: 100_000 }
  it.each([
    [
      'a second and half as long again each time, up to 12.5 s',
      0.5,
      false,
      [1_000, 1_500, 2_250, 3_375, 5_062.5, 7_593.75, 11_390.625, 12_500, 12_500],
    ],
    ['a fifth less by chance', 0, false, [800, 1_200, 1_800]],
    [
      'a fifth more by chance, and 15 s at most',
      0.999_999,
      false,
      [1_200, 1_800, 2_700, 4_050, 6_075, 9_112, 13_668, 15_000],
    ],
    ['four times as long at first where callbacks arrive', 0.5, true, [4_000, 6_000, 9_000, 12_500, 12_500]],
  ])('leaves between two looks %s', async (_what, random, callbacksArrive, gaps) => {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    const { result, lookedAt } = wait([withStatus('PENDING')], patience, { callbacksArrive })
    const ended = outcome(result)
    await vi.advanceTimersByTimeAsync(100_000)
    await ended
    for (const [n, ms] of gaps.entries()) {
      // Timers have whole milliseconds.
      expect(Math.abs((lookedAt[n + 1] ?? 0) - (lookedAt[n] ?? 0) - ms)).toBeLessThanOrEqual(1)
    }
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
    const { result, lookedAt, notify } = wait([withStatus('NEW'), withStatus('SUCCESS')], {
      maxWaitMs: 60_000,
    })
    await vi.advanceTimersByTimeAsync(100)
    notify()
    await result
    expect(lookedAt).toEqual([0, 100])
  })

  it('that comes during a look is not lost', async () => {
    const answers = [withStatus('NEW'), withStatus('SUCCESS')]
    const { result, lookedAt, notify } = wait(answers, { maxWaitMs: 60_000 }, { lookMs: 50 })
    await vi.advanceTimersByTimeAsync(20)
    notify()
    await vi.advanceTimersByTimeAsync(100)
    await result
    expect(lookedAt).toEqual([0, 50])
  })

  it('that brings the payment saves the look', async () => {
    const { result, lookedAt, notify } = wait([withStatus('NEW')], { maxWaitMs: 60_000 })
    await vi.advanceTimersByTimeAsync(100)
    notify(withStatus('SUCCESS'))
    expect(await result).toEqual(withStatus('SUCCESS'))
    expect(lookedAt).toEqual([0])
  })

  it('right behind one that brought the payment has a look of its own, and ends nothing', async () => {
    const { result, lookedAt, seen, notify } = wait(
      [withStatus('CREATED'), withStatus('SUCCESS')],
      { maxWaitMs: 60_000 },
      { lookMs: 500 },
    )
    await vi.advanceTimersByTimeAsync(100)
    notify(withStatus('PENDING'))
    notify()
    await vi.advanceTimersByTimeAsync(500)
    expect(await result).toEqual(withStatus('SUCCESS'))
    expect(lookedAt).toEqual([0, 100])
    expect(seen()).toEqual(['PENDING', 'SUCCESS'])
  })

  it('in front of one that brings the payment wants no look any more', async () => {
    const { result, lookedAt, notify } = wait([withStatus('CREATED')], { maxWaitMs: 60_000 }, { lookMs: 500 })
    await vi.advanceTimersByTimeAsync(100)
    notify()
    notify(withStatus('SUCCESS'))
    expect(await result).toEqual(withStatus('SUCCESS'))
    expect(lookedAt).toEqual([0])
  })

  it('that brought the final payment counts, however long the loop over the statuses takes', async () => {
    const { client } = statusGateway([withStatus('PENDING')])
    const notify = receiverOf(client)
    const seen: PaymentLike[] = []
    for await (const payment of client.payins.watch('order-1', { maxWaitMs: 1_000 })) {
      seen.push(payment)
      notify(withStatus('SUCCESS'))
      await vi.advanceTimersByTimeAsync(5_000)
    }
    expect(seen).toEqual([withStatus('PENDING'), withStatus('SUCCESS')])
  })

  it('of another payment does nothing', async () => {
    const { result, lookedAt, notify } = wait([withStatus('NEW')], { maxWaitMs: 700 })
    const ended = outcome(result)
    notify(withStatus('SUCCESS'), 'order-2')
    await vi.advanceTimersByTimeAsync(500)
    expect(lookedAt).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(await ended).toMatchObject({ error: { code: 'wait_timeout' } })
  })
})

const status =
  (code: number, headers = {}) =>
  () =>
    Response.json({}, { status: code, headers })
const broken = () => {
  throw new TypeError('fetch failed')
}

describe('an error during a wait', () => {
  it.each([
    ['a 500', status(500)],
    ['a 503', status(503)],
    ['a 425', status(425)],
    ['a 429', status(429)],
    ['a 404', status(404)],
    ['a redirect', status(302, { location: '/login' })],
    ['no JSON', () => new Response('<html>')],
    ['a broken connection', broken],
  ])('that may pass is waited out: %s', async (_name, error) => {
    const { result } = wait([error, error, withStatus('SUCCESS')], { maxWaitMs: 60_000 })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await result).toEqual(withStatus('SUCCESS'))
  })

  it.each([
    ['invalid_request', 400],
    ['permission', 403],
    ['invalid_request', 422],
  ])('that stays ends it: %s, a %i', async (code, one) => {
    const { result } = wait([withStatus('NEW'), status(one)], { maxWaitMs: 60_000 })
    const ended = outcome(result)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await ended).toMatchObject({ error: { code } })
  })

  it('that stays ends it even where news came during the look, unless the news is its end', async () => {
    const { client, lookedAt } = statusGateway([status(400)], 100)
    const notify = receiverOf(client)
    const watching = client.payins.watch('order-1', { maxWaitMs: 60_000 })
    const first = watching.next()
    await vi.advanceTimersByTimeAsync(50)
    notify(withStatus('PENDING'))
    expect(await first).toEqual({ done: false, value: withStatus('PENDING') })
    const ended = outcome(watching.next())
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await ended).toMatchObject({ error: { code: 'invalid_request' } })
    expect(lookedAt).toHaveLength(2)
  })

  it('is the cause when the payment was not seen in all that time', async () => {
    const { result } = wait([status(503)], { maxWaitMs: 5_000 })
    const ended = outcome(result)
    await vi.advanceTimersByTimeAsync(5_000)
    const message = expect.stringContaining('it was not seen once (the last status request failed: server)')
    expect(await ended).toMatchObject({ error: { code: 'wait_timeout', cause: { status: 503 }, message } })
  })
})

it('a wait that is left by its loop leaves nothing behind', async () => {
  const { client, lookedAt } = statusGateway([withStatus('NEW')])
  const { signal } = new AbortController()
  for await (const payment of client.payins.watch('order-1', { maxWaitMs: 60_000, signal })) {
    expect(payment).toEqual(withStatus('NEW'))
    break
  }
  expect([lookedAt.length, vi.getTimerCount()]).toEqual([1, 0])
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
