import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { slidingWindow } from '../../src/gateway/engine/limiter.js'
import { bearer, codeOf, create, JSON_HEADERS, masterToken, ORIGIN, stillSandbox } from '../support.js'

const gaps = fc.array(
  fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 }), fc.double({ min: 0, max: 1500, noNaN: true })),
  {
    maxLength: 300,
  },
)

/** Lets arrivals with these gaps between them meet a limiter. */
function run(limit: number, between: number[]): { at: number; wait: number }[] {
  const limiter = slidingWindow(limit)
  let at = 0
  return between.map((gap) => {
    at += gap
    return { at, wait: limiter.admit(at) }
  })
}

describe('the sliding window', () => {
  test('never lets more than the limit through in any 1000 ms', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), gaps, (limit, between) => {
        const admitted = run(limit, between).filter(({ wait }) => wait === 0)
        for (const [index, { at }] of admitted.entries()) {
          const later = admitted[index + limit]
          if (later !== undefined) expect(later.at - at).toBeGreaterThanOrEqual(1000)
        }
      }),
    )
  })

  test('refuses only when the limit has been let through in the 1000 ms before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), gaps, (limit, between) => {
        const arrivals = run(limit, between)
        for (const { at } of arrivals.filter(({ wait }) => wait > 0)) {
          const recent = arrivals.filter(
            (other) => other.wait === 0 && other.at <= at && at - other.at < 1000,
          )
          expect(recent.length).toBe(limit)
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
    const response = await sandbox.fetch(`${ORIGIN}/payouts/one`, create(token))
    expect([response.status, await codeOf(response)]).toEqual([429, 'TOO_MANY_REQUESTS'])
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
