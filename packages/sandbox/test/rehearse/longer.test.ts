import { expect, test } from 'vitest'
import { Longer } from '../../src/rehearse/longer.js'

test('an application may take longer until that was in vain, and not when it has ended', () => {
  const longer = new Longer()
  expect(longer.msFor('exit code 1')).toBe(0)
  expect(longer.msFor(undefined)).toBeGreaterThan(60_000)
  longer.wasInVain()
  expect(longer.msFor(undefined)).toBe(0)
})
