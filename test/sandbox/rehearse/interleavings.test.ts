import { describe, expect, test } from 'vitest'
import { caseNamed } from '../../../sandbox/src/rehearse/cases.js'
import { interleavingNumbered, pairs, stepsOf } from '../../../sandbox/src/rehearse/interleavings.js'

const all = pairs.flatMap(({ orders }) => orders)

describe('interleavings', () => {
  test('have numbers from 1 on, each of which names a case and one of its rounds', () => {
    expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1))
    for (const { number } of all) {
      const { name = '', round = -1 } = interleavingNumbered(number) ?? {}
      const one = caseNamed(name)
      expect(one?.rounds?.[round]).toBe(`interleaving ${number}`)
      expect(
        one?.plan({ kind: 'payin', route: 'POST /payins/{idPayin}', patienceMs: 1, actMs: 1 }, round),
      ).toMatchObject({
        interleaving: { number },
      })
    }
    expect(interleavingNumbered(all.length + 1)).toBeUndefined()
  })

  test('say who takes each step', () => {
    expect(stepsOf({ number: 1, events: ['callback', 'visit'], order: 'ABBA' })).toBe(
      'callback, visit, visit, callback',
    )
    expect(stepsOf({ number: 1, events: ['act', 'act'], order: 'ABAB' })).toBe('act 1, act 2, act 1, act 2')
  })
})
