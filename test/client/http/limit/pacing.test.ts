import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  countedOf,
  firstPace,
  isNewRefusal,
  type Pace,
  paceAfterRefusal,
  paceAfterResponse,
  paceAt,
  pauseMs,
} from '../../../../src/client/http/limit/pacing.js'
import { rowsOf } from '../../../support/failures.js'

const minute = 60_000
const hour = 60 * minute

/** What becomes of a client that begins by finding out, told as "minute what, minute what". */
function story(events = ''): Pace {
  let pace = firstPace(undefined)
  for (const [, at, what] of events.matchAll(/([\d.]+) (refused|proved|answered|nothing)/g)) {
    const now = Number(at) * minute
    pace = paceAt(pace, now)
    if (what === 'refused') pace = paceAfterRefusal(pace, now)
    if (what === 'proved') pace = paceAfterResponse(pace, true, now)
    if (what === 'answered') pace = paceAfterResponse(pace, false, now)
  }
  return pace
}

/** What happens, how it goes on, how it counts then, and for how many minutes it spaces evenly. */
const stories = `
  at first it tries                                        |                                | trying        | in-windows
  a response alone proves nothing                          | 0 answered                     | trying        | in-windows
  two close together that were not refused do              | 0 proved                       | in-windows    | in-windows
  a 429 makes it even                                      | 0 refused                      | evenly-spaced | evenly-spaced | 5
  also after it was proved                                 | 0 proved, 9 refused            | evenly-spaced | evenly-spaced
  for five minutes                                         | 0 refused, 4.9 answered        | evenly-spaced | evenly-spaced
  and then it tries again                                  | 0 refused, 5 nothing           | trying        | evenly-spaced
  every further 429 makes it five more                     | 0 refused, 4 refused, 8.9 nothing | evenly-spaced | evenly-spaced
  the pair that went well ends it                          | 0 refused, 5 proved            | in-windows    | in-windows
  one that did not makes it ten                            | 0 refused, 5 refused           | evenly-spaced | evenly-spaced | 10
  then twenty                                              | 0 refused, 5 refused, 15 refused | evenly-spaced | evenly-spaced | 20
  and at most an hour                                      | 0 refused, 5 refused, 15 refused, 35 refused, 75 refused, 135 refused | evenly-spaced | evenly-spaced | 60
  a 429 soon after it found its way back counts as another | 0 refused, 5 proved, 6 refused | evenly-spaced | evenly-spaced | 10
  one much later does not                                  | 0 refused, 5 proved, 11 refused | evenly-spaced | evenly-spaced | 5`

describe('how the client counts follows from the responses', () => {
  it.each(rowsOf(stories))('%s: %s', (_what, events, way, counted, minutes) => {
    const pace = story(events)
    expect([pace.way, countedOf(pace)]).toEqual([way, counted])
    if (minutes !== undefined) expect(pace.evenForMs).toBe(Number(minutes) * minute)
  })

  it.each(['in-windows', 'evenly-spaced'] as const)('but not where the caller has said %s', (counted) => {
    let pace = firstPace(counted)
    for (let n = 0; n < 100; n++) {
      pace = paceAt(pace, n * hour)
      pace = n % 3 === 0 ? paceAfterRefusal(pace, n * hour) : paceAfterResponse(pace, n % 2 === 0, n * hour)
      expect(countedOf(pace)).toBe(counted)
    }
  })

  it('and a burst that is refused counts once', () => {
    const pace = paceAfterRefusal(firstPace(undefined), 1_000)
    expect([999, 1_000, 1_001].map((sentAt) => isNewRefusal(pace, sentAt))).toEqual([false, false, true])
  })
})

describe('429s that go on slow the client down, and other responses let it recover', () => {
  const refusals = (count: number, from: Pace) => {
    let pace = from
    for (let n = 0; n < count; n++) pace = paceAfterRefusal(pace, n)
    return pace
  }
  it.each([
    [0, 1],
    [1, 1.5],
    [2, 2.25],
    [100, 32],
  ])('%i 429s in a row make it %f times slower', (count, slowdown) => {
    expect(refusals(count, firstPace('evenly-spaced')).slowdown).toBe(slowdown)
    expect(refusals(count, firstPace('in-windows')).slowdown).toBe(slowdown)
  })

  it('a hundred responses later it is as fast as ever', () => {
    let pace = refusals(100, firstPace('evenly-spaced'))
    for (let n = 0; n < 100; n++) pace = paceAfterResponse(pace, false, n)
    expect(pace.slowdown).toBe(1)
  })
})

describe('the pause of everybody', () => {
  const slow = (counted: 'in-windows' | 'evenly-spaced', slowdown: number): Pace => ({
    ...firstPace(counted),
    slowdown,
  })
  it.each<readonly [string, Pace, number | undefined, number, number]>([
    ['is a second and a little more, where nothing is said', firstPace(undefined), undefined, 1_000, 1_250],
    ['is the same for whoever has no limiter', firstPace('in-windows'), undefined, 1_000, 1_250],
    ['grows while 429s go on', slow('in-windows', 2), undefined, 2_000, 2_500],
    ['up to eight seconds and a little more', slow('in-windows', 32), undefined, 8_000, 10_000],
    ['is a gap or two where requests are spaced already', firstPace('evenly-spaced'), undefined, 108, 216],
    ['and grows there too', slow('evenly-spaced', 10), undefined, 1_080, 2_160],
    ['is what was asked for, to the millisecond', firstPace(undefined), 7_000, 7_000, 7_000],
    [
      'or somewhat more while 429s go on, so that processes do not come back together',
      slow('in-windows', 2),
      7_000,
      7_500,
      8_500,
    ],
    ['and never none', firstPace(undefined), 0, 25, 25],
    [
      'which ends whoever is told to come back at once, again and again',
      slow('evenly-spaced', 32),
      0,
      1_674,
      5_022,
    ],
    ['is an hour at most', firstPace(undefined), 86_400_000, hour, hour],
  ])('%s', (_what, pace, askedMs, least, most) => {
    expect(pauseMs(pace, { askedMs, gapMs: 108, random: 0 })).toBeCloseTo(least)
    expect(pauseMs(pace, { askedMs, gapMs: 108, random: 1 })).toBeCloseTo(most)
  })

  it('is never shorter than what was asked for, up to an hour', () => {
    const any = {
      askedMs: fc.double({ min: 0, max: hour, noNaN: true }),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
    }
    fc.assert(
      fc.property(
        any.askedMs,
        any.random,
        fc.double({ min: 1, max: 32, noNaN: true }),
        (askedMs, random, slowdown) => {
          const ms = pauseMs(slow('evenly-spaced', slowdown), { askedMs, random, gapMs: 108 })
          expect(ms).toBeGreaterThanOrEqual(askedMs)
          expect(ms).toBeLessThanOrEqual(hour)
        },
      ),
    )
  })
})
