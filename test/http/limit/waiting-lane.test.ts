import { expect, it, vi } from 'vitest'
import { WaitingLane } from '../../../src/http/limit/waiting-lane.js'

it('of many who leave one after the other, the next one is found without passing all who have left', () => {
  const lane = new WaitingLane<number>('create')
  const waiters = Array.from({ length: 1000 }, (_, n) => n)
  for (const waiter of waiters) lane.add(waiter, false)
  const iterators = vi.spyOn(Set.prototype, 'values')
  const left: number[] = []
  for (let { first } = lane; first !== undefined; first = lane.first) {
    left.push(first)
    lane.remove(first)
  }
  expect(left).toEqual(waiters)
  expect(iterators.mock.calls.length).toBeLessThan(5)
  iterators.mockRestore()
})

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
