import { expect, it } from 'vitest'
import { WaitingLane } from '../../../../src/client/http/limit/waiting-lane.js'

it('those who had a permit before go first, and each kind in the order in which they came', () => {
  const lane = new WaitingLane<string>('create')
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'] as const
  const gone: (string | undefined)[] = []
  const leave = () => {
    const { first } = lane
    gone.push(first)
    if (first !== undefined) lane.remove(first)
  }
  lane.add(a, false)
  lane.add(b, false)
  lane.add(c, false)
  expect(lane.first).toBe(a)
  lane.add(d, true)
  leave()
  lane.remove(a)
  leave()
  leave()
  leave()
  lane.add(e, false)
  leave()
  expect(gone).toEqual([d, b, c, undefined, e])
  expect(lane.first).toBeUndefined()
})
