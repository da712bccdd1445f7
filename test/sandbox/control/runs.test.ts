import { describe, expect, test } from 'vitest'
import { LEAST_OF_RUN, LONGEST_PAUSE_MS, runsOf } from '../../../sandbox/src/desk/control/payments/runs.js'

const burst = (count: number, start: number, gap: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `${start}-${index}`, at: start + index * gap }))

describe('payouts are a run', () => {
  test.each([
    ['when ten are created at once', burst(10, 0, 0), [10]],
    ['when each follows within ten seconds', burst(10, 0, LONGEST_PAUSE_MS), [10]],
    ['not when there are fewer', burst(LEAST_OF_RUN - 1, 0, 1), []],
    ['not when the pauses are longer', burst(50, 0, LONGEST_PAUSE_MS + 1), []],
    ['apart from others that came later', [...burst(12, 0, 100), ...burst(20, 60_000, 100)], [12, 20]],
    [
      'without the few that came in between',
      [...burst(12, 0, 1), ...burst(3, 60_000, 1), ...burst(10, 90_000, 1)],
      [12, 10],
    ],
    ['never when there are none', [], []],
  ])('%s', (_name, creates, sizes) => {
    expect(runsOf(creates).map((run) => run.creates.length)).toEqual(sizes)
  })

  test('that keeps its name while more come', () => {
    expect(runsOf(burst(10, 0, 100))[0]?.id).toBe(runsOf(burst(2000, 0, 100))[0]?.id)
  })
})
