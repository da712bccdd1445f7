import { expect, test } from 'vitest'
import { readState, stateFor } from '../../src/jobs/state.js'

const state = { v: 1, step: 'create', outcome: 'not-accepted', starts: 1, tries: 3 } as const

test('the first run knows that nothing was sent', () => {
  expect(stateFor(undefined, 1)).toEqual({
    v: 1,
    step: 'create',
    outcome: 'not-accepted',
    starts: 1,
    tries: 0,
  })
  expect(stateFor(null, 1)).toMatchObject({ outcome: 'not-accepted' })
})

test('a run whose predecessor spoke takes its word', () => {
  expect(stateFor(state, 2)).toEqual({ ...state, starts: 2 })
  const accepted = { ...state, step: 'follow', outcome: 'accepted' }
  expect(stateFor(JSON.parse(JSON.stringify(accepted)), 2)).toEqual({ ...accepted, starts: 2 })
})

test.each([
  ['a run that left no state', undefined, 2],
  ['a run between the state and this one', state, 3],
  ['a count that began anew', { ...state, starts: 5 }, 1],
])('%s may have sent the payout', (_, stored, starts) => {
  expect(stateFor(stored, starts)).toMatchObject({ outcome: 'unknown', step: 'create' })
})

test('what is known to be accepted stays so when a run is lost', () => {
  expect(stateFor({ ...state, step: 'follow', outcome: 'accepted' }, 9)).toMatchObject({
    step: 'follow',
    outcome: 'accepted',
  })
})

test.each([
  'no',
  7,
  [],
  {},
  { ...state, v: 2 },
  { ...state, step: 'pay' },
  { ...state, outcome: 'never' },
  { ...state, step: 'follow', outcome: 'not-accepted' },
  { ...state, starts: -1 },
  { ...state, starts: 'many' },
  { ...state, tries: Number.NaN },
  { ...state, tries: 1e300 },
])('a state that is none is not believed: %o', (stored) => {
  expect(readState(stored)).toBeUndefined()
  expect(stateFor(stored, 1)).toMatchObject({ outcome: 'unknown', step: 'create' })
})

test('what else is in a stored state is dropped', () => {
  expect(readState({ ...state, accountNumber: 'CANARY' })).toEqual(state)
})
