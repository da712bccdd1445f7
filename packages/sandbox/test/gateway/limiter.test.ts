import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLimiter } from '../../src/gateway/engine/limiter.js'
import type { LimiterKind } from '../../src/index.js'
import { bearer, create, JSON_HEADERS, masterToken, ORIGIN, refusal, stillSandbox } from '../support.js'

const kinds: readonly LimiterKind[] = ['sliding-window', 'fixed-window', 'token-bucket', 'evenly-spaced']
const gaps = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 1500 })),
  { maxLength: 300 },
)
const limits = fc.integer({ min: 1, max: 12 })

/** The times at which a limiter let a request through. */
function admitted(kind: LimiterKind, limit: number, between: readonly number[]): number[] {
  const limiter = createLimiter(kind, limit)
  let at = 0
  return between.flatMap((gap) => {
    at += gap
    return limiter.admit(at) === 0 ? [at] : []
  })
}

describe.each(kinds)('the limiter %s', (kind) => {
  test('says how long until the next one may pass, and keeps its word', () => {
    fc.assert(
      fc.property(limits, gaps, (limit, between) => {
        const limiter = createLimiter(kind, limit)
        let at = 0
        for (const gap of between) {
          at += gap
          const wait = limiter.admit(at)
          if (wait === 0) continue
          expect(wait).toBeGreaterThan(0)
          expect(wait).toBeLessThanOrEqual(1000)
          at += wait
          expect(limiter.admit(at)).toBe(0)
        }
      }),
    )
  })

  test('lets the limit through in every second, when it comes evenly', () => {
    for (const limit of [1, 2, 4, 5, 8, 10]) {
      const evenly = Array.from({ length: limit * 20 }, () => 1000 / limit)
      expect(admitted(kind, limit, evenly)).toHaveLength(limit * 20)
    }
  })

  test('is one that a sandbox can have', async () => {
    const sandbox = stillSandbox({ limiter: kind, rateLimit: 2, retryAfter: 'seconds' })
    const ask = () => sandbox.fetch(`${ORIGIN}/balances`, { headers: JSON_HEADERS })
    const statuses = [(await ask()).status, (await ask()).status]
    expect(statuses).toEqual(kind === 'evenly-spaced' ? [401, 429] : [401, 401])
    const refused = await ask()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
    await sandbox.clock.advance(1000)
    expect((await ask()).status).toBe(401)
  })
})

describe('what tells them apart', () => {
  test('a sliding window lets the limit through in any 1000 ms, never more, and refuses only then', () => {
    fc.assert(
      fc.property(limits, gaps, (limit, between) => {
        const times = admitted('sliding-window', limit, between)
        for (const [index, at] of times.entries()) {
          const later = times[index + limit]
          if (later !== undefined) expect(later - at).toBeGreaterThanOrEqual(1000)
        }
        let now = 0
        for (const gap of between) {
          now += gap
          const recent = times.filter((at) => at <= now && now - at < 1000)
          if (!times.includes(now)) expect(recent.length).toBe(limit)
        }
      }),
    )
  })

  test('a fixed window starts again at each full second, so that twice the limit passes around its end', () => {
    expect(admitted('fixed-window', 3, [990, 2, 2, 2, 4, 2, 2, 2])).toEqual([990, 992, 994, 1000, 1002, 1004])
  })

  test('a token bucket takes the limit at once and then one for each share of the second', () => {
    expect(admitted('token-bucket', 4, [0, 0, 0, 0, 0, 249, 1, 0, 250])).toEqual([0, 0, 0, 0, 250, 500])
  })

  test('an evenly spaced limiter takes no two at once', () => {
    expect(admitted('evenly-spaced', 4, [0, 0, 249, 1, 250, 250, 1000])).toEqual([0, 250, 500, 750, 1750])
  })

  test('a bucket never holds more than the limit, however long no request arrived', () => {
    fc.assert(
      fc.property(limits, gaps, (limit, between) => {
        const times = admitted('token-bucket', limit, between)
        for (const [index, at] of times.entries()) {
          const burst = times.slice(index).filter((other) => other - at < 1000)
          expect(burst.length).toBeLessThanOrEqual(limit * 2)
          expect(times.slice(index).filter((other) => other === at).length).toBeLessThanOrEqual(limit)
        }
      }),
    )
  })
})

describe('the rate limit of a sandbox', () => {
  const burst = async (
    sandbox: ReturnType<typeof stillSandbox>,
    headers: Record<string, string>,
    count: number,
  ) => {
    const all = Array.from({ length: count }, () => sandbox.fetch(`${ORIGIN}/balances`, { headers }))
    return (await Promise.all(all)).map(({ status }) => status)
  }

  test('lets ten through, and ten more when a second has passed', async () => {
    const sandbox = stillSandbox({ rateLimit: 10 })
    const headers = bearer(await masterToken(sandbox))
    await sandbox.clock.advance(1000)
    expect(await burst(sandbox, headers, 12)).toEqual([...Array(10).fill(200), 429, 429])
    await sandbox.clock.advance(999)
    expect(await burst(sandbox, headers, 1)).toEqual([429])
    await sandbox.clock.advance(1)
    expect(await burst(sandbox, headers, 11)).toEqual([...Array(10).fill(200), 429])
  })

  test('is ten a second by default, and counts whatever arrives', async () => {
    const sandbox = stillSandbox({ rateLimit: 10 })
    expect(await burst(sandbox, { 'x-api-version': '7' }, 11)).toEqual([...Array(10).fill(404), 429])
  })

  test('means that the request is not processed', async () => {
    const sandbox = stillSandbox({ rateLimit: 1 })
    const token = await masterToken(sandbox)
    expect(await refusal(sandbox.fetch(`${ORIGIN}/payouts/one`, create(token)))).toEqual([
      429,
      'TOO_MANY_REQUESTS',
    ])
    expect(sandbox.payouts.size).toBe(0)
  })

  test('says nothing of Retry-After by default, and in both forms when asked', async () => {
    const retryAfter = async (form: 'seconds' | 'date' | false) => {
      const sandbox = stillSandbox({ rateLimit: 1, retryAfter: form })
      await sandbox.fetch(`${ORIGIN}/balances`, { headers: JSON_HEADERS })
      await sandbox.clock.advance(400)
      return (await sandbox.fetch(`${ORIGIN}/balances`, { headers: JSON_HEADERS })).headers.get('retry-after')
    }
    expect(await retryAfter(false)).toBeNull()
    expect(await retryAfter('seconds')).toBe('1')
    expect(await retryAfter('date')).toBe('Tue, 14 Nov 2023 22:13:21 GMT')
  })
})
