import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lanes, nextLane } from '../../../../src/client/http/limit/lanes.js'
import type { Lane } from '../../../../src/client/observe/events.js'

/** Gives permits, one after the other, to the priorities with which somebody waits at that moment. */
function serve(waitingAt: readonly (readonly Lane[])[]): (Lane | undefined)[] {
  let turn = 0
  return waitingAt.map((names) => {
    const waiting = lanes.filter((name) => names.includes(name)).map((name) => ({ name }))
    const served = nextLane(waiting, turn)
    turn = waiting.length > 1 ? turn + 1 : 0
    return served?.name
  })
}

const forever = (...names: readonly Lane[]) => serve(Array.from({ length: 1_000 }, () => names))
const share = (served: readonly unknown[], lane: Lane) =>
  served.filter((one) => one === lane).length / served.length

describe('whose turn it is', () => {
  it('is nobody’s where nobody waits', () => {
    expect(nextLane([], 0)).toBeUndefined()
  })

  it.each<readonly [readonly Lane[], Lane]>([
    [['poll'], 'poll'],
    [['callback', 'poll'], 'callback'],
    [['read', 'callback', 'poll'], 'read'],
    [['create', 'read', 'callback', 'poll'], 'create'],
    [lanes, 'token'],
  ])('is, of %j, that of %s', (waiting, first) => {
    expect(serve([waiting])).toEqual([first])
  })

  it.each<readonly [readonly Lane[], Partial<Record<Lane, number>>]>([
    [['create', 'poll'], { create: 0.9, poll: 0.1 }],
    [['create', 'bulk'], { create: 0.9, bulk: 0.1 }],
    [['create', 'read'], { create: 0.9, read: 0.1 }],
    [['create', 'callback'], { create: 0.9, callback: 0.1 }],
    [['create', 'bulk', 'poll'], { create: 0.9, bulk: 0.05, poll: 0.05 }],
    [['create', 'read', 'callback', 'poll'], { create: 0.7, read: 0.1, callback: 0.1, poll: 0.1 }],
    [lanes, { token: 0.6, create: 0.1, read: 0.1, callback: 0.1, bulk: 0.05, poll: 0.05 }],
    [['callback', 'bulk', 'poll'], { callback: 0.9, bulk: 0.05, poll: 0.05 }],
  ])('for ever, in %j, makes shares of %j', (waiting, shares) => {
    const served = forever(...waiting)
    for (const lane of waiting) expect(share(served, lane)).toBeCloseTo(shares[lane] ?? 0, 3)
  })
})

describe('a priority that waits is never passed over for ever', () => {
  const anyWaiting = fc.array(fc.subarray([...lanes]), { minLength: 1, maxLength: 200 })
  const shared: readonly Lane[] = ['bulk', 'poll']

  it('by ten in a row, or by twenty where two share a permit, whoever comes and goes beside it', () => {
    fc.assert(
      fc.property(anyWaiting, (waitingAt) => {
        const served = serve(waitingAt)
        for (const lane of lanes) {
          let passedOver = 0
          for (const [n, waiting] of waitingAt.entries()) {
            passedOver = waiting.includes(lane) && served[n] !== lane ? passedOver + 1 : 0
            expect(passedOver).toBeLessThan(shared.includes(lane) ? 20 : 10)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('and no permit is lost while somebody waits', () => {
    fc.assert(
      fc.property(anyWaiting, (waitingAt) => {
        for (const [n, lane] of serve(waitingAt).entries()) {
          const waiting = waitingAt[n] ?? []
          if (lane === undefined) expect(waiting).toEqual([])
          else expect(waiting).toContain(lane)
        }
      }),
    )
  })
})
