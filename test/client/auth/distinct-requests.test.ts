import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DistinctRequests, spreadOf, type Varied, variants } from '../../../src/client/auth/token-body.js'

const timestamp = 1_700_000_000
const nowMs = timestamp * 1000
const bodyOf = (varied: Varied) => JSON.stringify(varied)

describe('a validity is shortened by a tenth and a minute at most, and never to nothing', () => {
  it.each([
    [1, 0],
    [2, 1],
    [10, 1],
    [11, 2],
    [60, 6],
    [600, 60],
    [900, 60],
    [86_400, 60],
  ])('%d s by %d s', (validitySecs, spread) => {
    expect(spreadOf(validitySecs)).toBe(spread)
  })

  it('whatever is asked for, no variant asks for more, for less than a second, or in the future', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (asked, first) => {
          const isLess = (varied: Varied) =>
            varied.validitySecs <= asked &&
            varied.validitySecs >= Math.max(1, asked - spreadOf(asked)) &&
            varied.timestamp <= timestamp
          expect([...variants({ validitySecs: asked, timestamp }, first)].every(isLess)).toBe(true)
        },
      ),
      { numRuns: 20 },
    )
  })
})

// That no two are equal: replay.test.ts.
it('what is remembered of requests is forgotten', () => {
  const requests = new DistinctRequests()
  const asked = { validitySecs: 900, timestamp }
  const first = requests.pick(asked, 0, bodyOf, nowMs)
  expect(requests.pick(asked, 0, bodyOf, nowMs + 70_000).body).not.toBe(first.body)
  expect(requests.pick(asked, 0, bodyOf, nowMs + 200_000).body).toBe(first.body)
})
