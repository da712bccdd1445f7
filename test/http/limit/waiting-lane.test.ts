import { expect, it } from 'vitest'
import { type Waiter, WaitingLane } from '../../../src/http/limit/waiting-lane.js'

const waiter = (): Waiter => ({ grant() {}, refuse() {} })

it('a hundred thousand leave a lane, one after the other, in less than a second', () => {
  const lane = new WaitingLane('create')
  for (let n = 0; n < 100_000; n++) lane.add(waiter(), false)
  const begun = process.cpuUsage()
  for (let { first } = lane; first !== undefined; first = lane.first) lane.remove(first)
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(1000)
  expect(lane.depth).toBe(0)
})

it('those who had a permit before go first, and each kind in the order in which they came', () => {
  const lane = new WaitingLane('create')
  const [a, b, c, d, e] = [waiter(), waiter(), waiter(), waiter(), waiter()]
  const gone: (Waiter | undefined)[] = []
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
