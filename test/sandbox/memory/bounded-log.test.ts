import { expect, test } from 'vitest'
import { BoundedLog } from '../../../sandbox/src/gateway/memory/bounded-log.js'

test('counts the bytes that come to an entry later, and forgets the oldest for them', () => {
  const log = new BoundedLog<string>(10, 100)
  const grow = log.add('a', 30)
  const growSecond = log.add('b', 30)
  grow(40)
  expect(log.toArray()).toEqual(['a', 'b'])
  growSecond(10)
  expect(log.toArray()).toEqual(['b'])
  // What has been forgotten counts no more, whatever still comes to it.
  grow(1000)
  log.add('c', 60)
  expect(log.toArray()).toEqual(['b', 'c'])
  log.clear()
  growSecond(1000)
  log.add('d', 100)
  log.add('e', 0)
  expect(log.toArray()).toEqual(['d', 'e'])
})
