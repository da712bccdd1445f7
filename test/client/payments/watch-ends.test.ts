import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  AbortedError,
  type AnyGatewayError,
  AuthenticationError,
  ClientClosedError,
  ConfigurationError,
  ConnectionError,
  type GatewayErrorCode,
  IdempotencyConflictError,
  InvalidInputError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  QueueFullError,
  RateLimitError,
  RefundRefusedError,
  ServerError,
  SigningError,
  TimeoutError,
  UnusableResponseError,
  WaitTimeoutError,
} from '../../../src/client/errors.js'
import { watchPayment } from '../../../src/client/payments/watch.js'
import { outcome, sourceOf, wait, withStatus } from './fake-wait.js'

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => expect(vi.getTimerCount()).toBe(0))

/** As docs/errors.md has it: which errors of a look a wait sits out. The compiler sees that none is missing. */
const codes: Readonly<Record<GatewayErrorCode, readonly [AnyGatewayError, 'passes' | 'ends it']>> = {
  connection: [new ConnectionError('x.'), 'passes'],
  timeout: [new TimeoutError('x.'), 'passes'],
  server: [new ServerError('x.', { status: 503 }), 'passes'],
  rate_limit: [new RateLimitError('x.', { status: 429 }), 'passes'],
  queue_full: [new QueueFullError('x.'), 'passes'],
  not_found: [new NotFoundError('x.', { status: 404 }), 'passes'],
  unusable_response: [new UnusableResponseError('x.', { status: 200, issues: [] }), 'passes'],
  configuration: [new ConfigurationError('x.'), 'ends it'],
  invalid_input: [new InvalidInputError('x.'), 'ends it'],
  signing: [new SigningError('x.'), 'ends it'],
  authentication: [new AuthenticationError('x.', { status: 401 }), 'ends it'],
  permission: [new PermissionError('x.', { status: 403, operation: 'GET /payins/{idPayin}' }), 'ends it'],
  idempotency_conflict: [
    new IdempotencyConflictError('x.', { status: 409, outcome: 'accepted', differences: [] }),
    'ends it',
  ],
  invalid_request: [new InvalidRequestError('x.', { status: 400 }), 'ends it'],
  aborted: [new AbortedError('x.'), 'ends it'],
  wait_timeout: [new WaitTimeoutError('x.'), 'ends it'],
  client_closed: [new ClientClosedError('x.'), 'ends it'],
  refund_refused: [
    new RefundRefusedError('x.', {
      reason: 'gap',
      number: 2,
      idPayin: 'p',
      idPayout: 'q',
      outcome: 'not-accepted',
    }),
    'ends it',
  ],
}
const errors: readonly (readonly [string, AnyGatewayError, string])[] = [
  ...Object.entries(codes).map(([code, [error, what]]) => [code, error, what] as const),
  ['a redirect', new UnusableResponseError('x.', { status: 302, issues: [] }), 'passes'],
  ['a 425', new ServerError('x.', { status: 425, retryAfterMs: undefined }), 'passes'],
]

describe('an error during a wait', () => {
  it.each(errors.filter(([, , what]) => what === 'passes'))(
    'that may pass is waited out: %s',
    async (_code, error) => {
      const { result, lookedAt } = wait([error, error, withStatus('SUCCESS')], { maxWaitMs: 60_000 })
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await result).toEqual(withStatus('SUCCESS'))
      expect(lookedAt).toHaveLength(3)
    },
  )

  it.each(errors.filter(([, , what]) => what === 'ends it'))(
    'that stays ends it: %s',
    async (_code, error) => {
      const { result } = wait([withStatus('NEW'), error], { maxWaitMs: 60_000 })
      const ended = outcome(result)
      await vi.advanceTimersByTimeAsync(2_000)
      expect(await ended).toEqual({ error })
    },
  )

  it('that stays ends it even where news came during the look, unless the news is its end', async () => {
    const error = new AuthenticationError('x.', { status: 401 })
    let looks = 0
    const { source, listeners } = sourceOf(async () => {
      looks += 1
      if (looks < 3) listeners.notify('order-1', withStatus('PENDING'))
      throw error
    })
    const watching = watchPayment(source, { maxWaitMs: 60_000 })
    expect(await watching.next()).toEqual({ done: false, value: withStatus('PENDING') })
    const ended = outcome(watching.next())
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await ended).toEqual({ error })
    expect(looks).toBe(3)
  })

  it('is the cause when the payment was not seen in all that time', async () => {
    const cause = new ServerError('down.', { status: 503 })
    const { result } = wait([cause], { maxWaitMs: 5_000 })
    const ended = outcome(result)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await ended).toMatchObject({ error: { code: 'wait_timeout', cause } })
    expect(await ended).toMatchObject({
      error: { message: expect.stringContaining('it was not seen once (the last look failed: server)') },
    })
  })
})

describe('a wait that somebody ends', () => {
  it('by leaving the loop leaves nothing behind', async () => {
    const client = new AbortController()
    const { source } = sourceOf(() => Promise.resolve(withStatus('NEW')), { closing: client.signal })
    for await (const payment of watchPayment(source, { maxWaitMs: 60_000 })) {
      expect(payment).toEqual(withStatus('NEW'))
      break
    }
    expect(getEventListeners(client.signal, 'abort')).toHaveLength(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})
