import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Minted, TokenKeeper } from '../../../src/client/auth/token-keeper.js'
import type { JoinedLimits } from '../../../src/client/http/call.js'

const scope = { key: 'payins' }
const closing = new AbortController()
const patient = { ms: 60_000, retries: 0, signal: undefined, closing: closing.signal }

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(closing.signal, 'abort')).toHaveLength(0)
})

/** A keeper whose tokens are t1, t2 … and live as long as `lifetimeMs` says. */
function keeperOf(lifetimeMs: number) {
  const request = vi.fn(
    async (_scope: { key: string }, _abandoned: AbortSignal, _limits: JoinedLimits): Promise<Minted> => ({
      token: `t${request.mock.calls.length}`,
      lifetimeMs,
    }),
  )
  return { request, keeper: new TokenKeeper<{ key: string }>({ mint: request }) }
}

/** Lets what is under way in the background come to its end. */
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('TokenKeeper', () => {
  it('mints once for five callers at a time (peer failure 13)', async () => {
    const { keeper, request } = keeperOf(900_000)
    const tokens = await Promise.all(Array.from({ length: 5 }, () => keeper.mint(scope, patient)))
    expect(tokens).toEqual(['t1', 't1', 't1', 't1', 't1'])
    expect(request).toHaveBeenCalledTimes(1)
  })

  it('mints for each scope on its own', async () => {
    const { keeper, request } = keeperOf(900_000)
    await Promise.all([keeper.mint(scope, patient), keeper.mint({ key: 'payouts' }, patient)])
    expect(request).toHaveBeenCalledTimes(2)
  })

  it('does not remember a mint that failed (peer failure 14)', async () => {
    const { keeper, request } = keeperOf(900_000)
    request.mockRejectedValueOnce(new Error('down'))
    const both = await Promise.allSettled([keeper.mint(scope, patient), keeper.mint(scope, patient)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(keeper.fresh(scope)).toBeUndefined()
    expect(await keeper.mint(scope, patient)).toBe('t2')
    expect(keeper.fresh(scope)).toBe('t2')
  })

  it('serves a token until the second in which the gateway may end it, and not a millisecond longer', async () => {
    const { keeper, request } = keeperOf(10_000)
    await keeper.mint(scope, patient)
    request.mockRejectedValue(new Error('down'))
    vi.advanceTimersByTime(8_999)
    expect(keeper.fresh(scope)).toBe('t1')
    await settle()
    vi.advanceTimersByTime(1)
    expect(keeper.fresh(scope)).toBeUndefined()
  })

  it('counts the life of a token from when it was asked for, not from when it came', async () => {
    const { keeper, request } = keeperOf(10_000)
    request.mockImplementationOnce(async () => {
      await new Promise((resolve) => setTimeout(resolve, 4_000))
      return { token: 'slow', lifetimeMs: 10_000 }
    })
    const minting = keeper.mint(scope, patient)
    await vi.advanceTimersByTimeAsync(4_000)
    await minting
    vi.advanceTimersByTime(6_000)
    expect(keeper.fresh(scope)).toBeUndefined()
  })

  it('is not confused by a wall clock that is turned (peer failure 18)', async () => {
    const { keeper } = keeperOf(900_000)
    await keeper.mint(scope, patient)
    vi.setSystemTime(Date.now() + 86_400_000)
    expect(keeper.fresh(scope)).toBe('t1')
  })

  it('drops a token that the gateway did not take, and no other', async () => {
    const { keeper } = keeperOf(900_000)
    await keeper.mint(scope, patient)
    keeper.worked(scope, 't1')
    expect(keeper.refused(scope, 'older', 401)).toBe('replaced')
    expect(keeper.fresh(scope)).toBe('t1')
    expect(keeper.refused(scope, 't1', 401)).toBe('replaced')
    expect(keeper.fresh(scope)).toBeUndefined()
  })

  it('keeps a new token that is refused, since it may begin to work, and lets calls try it again', async () => {
    const { keeper } = keeperOf(900_000)
    await keeper.mint(scope, patient)
    const waits: unknown[] = []
    for (let ageMs = 0; ageMs <= 1750; ) {
      const refusal = keeper.refused(scope, 't1', 401)
      if (typeof refusal !== 'object') break
      waits.push(refusal.againAfterMs)
      ageMs += refusal.againAfterMs
      await vi.advanceTimersByTimeAsync(refusal.againAfterMs)
    }
    expect(waits).toEqual([250, 500, 1000])
    expect(keeper.fresh(scope)).toBeUndefined()
  })

  it('waits for no new token again where it was in vain, until one has worked', async () => {
    const { keeper } = keeperOf(900_000)
    await keeper.mint(scope, patient)
    await vi.advanceTimersByTimeAsync(1_500)
    expect(keeper.refused(scope, 't1', 401)).toBe('replaced')
    await keeper.mint(scope, patient)
    expect(keeper.refused(scope, 't2', 401)).toBe('replaced')
    await keeper.mint(scope, patient)
    keeper.worked(scope, 't3')
    keeper.refused(scope, 't3', 401)
    await keeper.mint(scope, patient)
    expect(keeper.refused(scope, 't4', 401)).toEqual({ againAfterMs: 250 })
  })

  it.each([400, 403, 404])(
    'replaces a token that worked for a %i, but not for each of them',
    async (status) => {
      const { keeper } = keeperOf(900_000)
      await keeper.mint(scope, patient)
      expect(keeper.refused(scope, 't1', status)).toBeUndefined()
      keeper.worked(scope, 't1')
      expect(keeper.refused(scope, 't1', status)).toBe('replaced')
      expect(keeper.refused(scope, 't1', status)).toBeUndefined()
      await keeper.mint(scope, patient)
      keeper.worked(scope, 't2')
      // Whoever still had the first one takes the second.
      expect(keeper.refused(scope, 't1', status)).toBe('replaced')
      expect(keeper.refused(scope, 't2', status)).toBeUndefined()
      await vi.advanceTimersByTimeAsync(60_000)
      expect(keeper.refused(scope, 't2', status)).toBe('replaced')
    },
  )

  it.each([402, 405, 409, 422, 429, 451, 500, 503])('replaces none for a %i', async (status) => {
    const { keeper } = keeperOf(900_000)
    await keeper.mint(scope, patient)
    keeper.worked(scope, 't1')
    expect(keeper.refused(scope, 't1', status)).toBeUndefined()
    expect(keeper.fresh(scope)).toBe('t1')
  })

  it('fetches the next token in the background, while the old one still serves', async () => {
    const { keeper, request } = keeperOf(900_000)
    await keeper.mint(scope, patient)
    vi.advanceTimersByTime(869_000 - 1)
    expect(keeper.fresh(scope)).toBe('t1')
    expect(request).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    expect(keeper.fresh(scope)).toBe('t1')
    expect(keeper.fresh(scope)).toBe('t1')
    expect(request).toHaveBeenCalledTimes(2)
    await settle()
    expect(keeper.fresh(scope)).toBe('t2')
  })

  it('tries a failed background fetch again less often than it is asked', async () => {
    const { keeper, request } = keeperOf(900_000)
    await keeper.mint(scope, patient)
    request.mockRejectedValue(new Error('down'))
    vi.advanceTimersByTime(869_000)
    for (let ms = 0; ms < 30_000; ms += 10) {
      expect(keeper.fresh(scope)).toBe('t1')
      await vi.advanceTimersByTimeAsync(10)
    }
    // Once at 869 s, then after half of what is left each time, and never within a second.
    expect(request.mock.calls.length - 1).toBeGreaterThanOrEqual(4)
    expect(request.mock.calls.length - 1).toBeLessThanOrEqual(8)
    expect(keeper.fresh(scope)).toBeUndefined()
  })

  it('mints a short-lived token once in its life and not before every call (peer failure 17)', async () => {
    const { keeper, request } = keeperOf(3_000)
    await keeper.mint(scope, patient)
    for (let ms = 0; ms < 1_790; ms += 10) {
      expect(keeper.fresh(scope)).toBe('t1')
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(request).toHaveBeenCalledTimes(1)
  })

  it('keeps at most a thousand tokens and forgets the oldest', async () => {
    const { keeper } = keeperOf(900_000)
    for (let n = 0; n <= 1000; n++) await keeper.mint({ key: `payment ${n}` }, patient)
    expect(keeper.fresh({ key: 'payment 0' })).toBeUndefined()
    expect(keeper.fresh({ key: 'payment 1' })).toBe('t2')
    expect(keeper.fresh({ key: 'payment 1000' })).toBe('t1001')
  })
})

describe('a request for a token', () => {
  /** A request that ends when the test says so, or when nobody waits for it. */
  function slowKeeper() {
    const abandoned: AbortSignal[] = []
    const answer: ((token: string) => void)[] = []
    const keeper = new TokenKeeper<{ key: string }>({
      mint: (_scope, signal) => {
        abandoned.push(signal)
        return new Promise((resolve, reject) => {
          answer.push((token) => resolve({ token, lifetimeMs: 900_000 }))
          signal.addEventListener('abort', () => reject(new Error('abandoned')))
        })
      },
    })
    return { keeper, abandoned, answer }
  }
  const callWith = (signal: AbortSignal) => ({ ...patient, signal })

  it('goes on while somebody waits for it', async () => {
    const { keeper, abandoned, answer } = slowKeeper()
    const first = new AbortController()
    const gone = keeper.mint(scope, callWith(first.signal))
    const stays = keeper.mint(scope, patient)
    first.abort('enough')
    expect(await gone).toMatchObject({ kind: 'aborted', cause: 'enough' })
    expect(abandoned[0]?.aborted).toBe(false)
    answer[0]?.('t1')
    expect(await stays).toBe('t1')
    expect(abandoned).toHaveLength(1)
  })

  it('ends when the last one who waited has gone, and is not remembered', async () => {
    const { keeper, abandoned, answer } = slowKeeper()
    const only = new AbortController()
    const gone = keeper.mint(scope, callWith(only.signal))
    only.abort()
    expect(await gone).toMatchObject({ kind: 'aborted' })
    expect(abandoned[0]?.aborted).toBe(true)
    const next = keeper.mint(scope, patient)
    answer[1]?.('t2')
    expect(await next).toBe('t2')
  })

  it('is waited for until the deadline of the call and no longer', async () => {
    const { keeper, abandoned } = slowKeeper()
    const late = keeper.mint(scope, { ...patient, ms: 500 })
    await vi.advanceTimersByTimeAsync(500)
    expect(await late).toEqual({ kind: 'deadline', sent: false, while: 'waiting for a token' })
    expect(abandoned[0]?.aborted).toBe(true)
  })

  it('has the limits of the most patient of those who wait, also of one who comes later', async () => {
    const { keeper, request } = keeperOf(900_000)
    let answer = (_minted: Minted): void => undefined
    request.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)))
    const began = performance.now()
    const hasty = keeper.mint(scope, { ...patient, ms: 500, retries: 0 })
    const limits = request.mock.calls[0]?.[2]
    expect(limits).toEqual({ endAt: began + 500, retries: 0 })
    vi.advanceTimersByTime(100)
    const later = keeper.mint(scope, { ...patient, ms: 60_000, retries: 7 })
    const last = keeper.mint(scope, { ...patient, ms: 10 })
    expect(limits).toEqual({ endAt: began + 60_100, retries: 7 })
    answer({ token: 't1', lifetimeMs: 900_000 })
    expect(await Promise.all([hasty, later, last])).toEqual(['t1', 't1', 't1'])
  })

  it('in the background does not end with the calls that joined it', async () => {
    const { keeper, request } = keeperOf(900_000)
    await keeper.mint(scope, patient)
    let answer = (_minted: Minted): void => undefined
    request.mockImplementationOnce((_scope, signal) => {
      signal.addEventListener('abort', () => answer({ token: 'abandoned', lifetimeMs: 1 }))
      return new Promise((resolve) => {
        answer = resolve
      })
    })
    vi.advanceTimersByTime(870_000)
    expect(keeper.fresh(scope)).toBe('t1')
    const joined = new AbortController()
    const gone = keeper.mint(scope, callWith(joined.signal))
    joined.abort()
    expect(await gone).toMatchObject({ kind: 'aborted' })
    answer({ token: 't2', lifetimeMs: 900_000 })
    await settle()
    expect(keeper.fresh(scope)).toBe('t2')
  })
})
