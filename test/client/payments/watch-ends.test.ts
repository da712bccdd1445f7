import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { errorCodes } from '../../../src/client/error-codes.js'
import * as errors from '../../../src/client/errors.js'
import { watchSource } from '../../../src/client/payments/watch.js'
import { outcome, sourceOf, wait, withStatus } from './fake-wait.js'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => expect(vi.getTimerCount()).toBe(0))

/** One error of each code. */
const ofAllCodes = Object.values(errorCodes).flatMap((one) => {
  const error: unknown = Reflect.construct(one.class, ['x.', { status: 503, issues: [], differences: [] }])
  return errors.isGatewayError(error) ? [error] : []
})
const all: readonly (readonly [name: string, error: errors.AnyGatewayError])[] = [
  ...ofAllCodes.map((error) => [error.code, error] as const),
  ['a redirect', new errors.UnusableResponseError('x.', { status: 302, issues: [] })],
  ['a 425', new errors.ServerError('x.', { status: 425, retryAfterMs: undefined })],
]
/** docs/errors.md lists them, and a test holds it to the table. */
const passes = ({ code }: errors.AnyGatewayError) => errorCodes[code].passes !== 'no'

describe('an error during a wait', () => {
  it.each(all.filter(([, error]) => passes(error)))(
    'that may pass is waited out: %s',
    async (_code, error) => {
      const { result, lookedAt } = wait([error, error, withStatus('SUCCESS')], { maxWaitMs: 60_000 })
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await result).toEqual(withStatus('SUCCESS'))
      expect(lookedAt).toHaveLength(3)
    },
  )

  it.each(all.filter(([, error]) => !passes(error)))('that stays ends it: %s', async (_code, error) => {
    const { result } = wait([withStatus('NEW'), error], { maxWaitMs: 60_000 })
    const ended = outcome(result)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await ended).toEqual({ error })
  })

  it('that stays ends it even where news came during the look, unless the news is its end', async () => {
    const error = new errors.AuthenticationError('x.', { status: 401 })
    let looks = 0
    const { source, listeners } = sourceOf(async () => {
      looks += 1
      if (looks < 3) listeners.notify('order-1', withStatus('PENDING'))
      throw error
    })
    const watching = watchSource(source, { maxWaitMs: 60_000 })
    expect(await watching.next()).toEqual({ done: false, value: withStatus('PENDING') })
    const ended = outcome(watching.next())
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await ended).toEqual({ error })
    expect(looks).toBe(3)
  })

  it('is the cause when the payment was not seen in all that time', async () => {
    const cause = new errors.ServerError('down.', { status: 503 })
    const { result } = wait([cause], { maxWaitMs: 5_000 })
    const ended = outcome(result)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await ended).toMatchObject({ error: { code: 'wait_timeout', cause } })
    expect(await ended).toMatchObject({
      error: {
        message: expect.stringContaining('it was not seen once (the last status request failed: server)'),
      },
    })
  })
})

describe('a wait that somebody ends', () => {
  it('by leaving the loop leaves nothing behind', async () => {
    const client = new AbortController()
    const { source } = sourceOf(() => Promise.resolve(withStatus('NEW')), { closing: client.signal })
    for await (const payment of watchSource(source, { maxWaitMs: 60_000 })) {
      expect(payment).toEqual(withStatus('NEW'))
      break
    }
    expect(getEventListeners(client.signal, 'abort')).toHaveLength(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})
