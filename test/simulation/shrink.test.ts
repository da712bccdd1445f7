import { expect, test } from 'vitest'
import { makePlan } from './make-plan.js'
import { shrink } from './shrink.js'
import { tell } from './story.js'

const violation = { rule: 'one payment for each order', atMs: 0, says: 'the second one' } as const

test('a plan is shortened to the one order and the one fault that break its rule', async () => {
  const plan = makePlan(3, { days: 2, perDay: 60 })
  const guilty = { kind: 'crash', atMs: 40_000, forMs: 2_000, share: 0.5, variant: 1 } as const
  const faults = [...plan.faults, guilty]
  const shortest = await shrink({ ...plan, faults }, violation, async (candidate) => {
    const hasOrder = candidate.orders.some(({ number }) => number === 77)
    const hasFault = candidate.faults.some(({ atMs }) => atMs === guilty.atMs)
    return { violations: hasOrder && hasFault ? [violation] : [] }
  })
  expect(shortest.orders.map(({ number }) => number)).toEqual([77])
  expect(shortest.faults).toEqual([{ ...guilty, share: 1 }])
  expect(shortest.settings).toMatchObject({ hosts: 1, budget: 'alone', jitterMs: 0 })
  const story = tell({
    rule: violation.rule,
    says: violation.says,
    plan: shortest,
    happened: ['1.000 host-0 starts'],
  })
  expect(story).toContain('Seed 3 broke the rule "one payment for each order": the second one')
  expect(story).toContain('40.000 s for 2.000 s: crash')
})
