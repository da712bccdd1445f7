import { describe, expect, test } from 'vitest'
import { roundsOf } from '../../src/rehearse/case.js'
import { cases, interleavingNumbered } from '../../src/rehearse/cases.js'
import { stepsOf } from '../../src/rehearse/cross.js'

const count = cases.reduce((sum, { crossing }) => sum + (crossing?.orders.length ?? 0), 0)

describe('interleavings', () => {
  test('have numbers from 1 on, each of which names a case and one of its rounds', () => {
    const numbers = Array.from({ length: count }, (_, index) => index + 1)
    for (const number of numbers) {
      const found = interleavingNumbered(number)
      expect(found && roundsOf(found.one)[found.round]).toBe(`interleaving ${number}`)
    }
    expect(interleavingNumbered(0)).toBeUndefined()
    expect(interleavingNumbered(count + 1)).toBeUndefined()
  })

  test('say who takes each step', () => {
    expect(stepsOf(['callback', 'visit'], 'ABBA')).toBe('callback, visit, visit, callback')
    expect(stepsOf(['act', 'act'], 'ABAB')).toBe('act 1, act 2, act 1, act 2')
  })
})
