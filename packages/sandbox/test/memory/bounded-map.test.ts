import { expect, test } from 'vitest'
import { BoundedMap } from '../../src/gateway/memory/bounded-map.js'

test('a map keeps the newest entries, and says which made room', () => {
  const gone: string[] = []
  const memory = new BoundedMap<number>(3, (_value, key) => gone.push(key))
  for (const value of [0, 1, 2, 3, 4]) memory.set(`key-${value}`, value)
  memory.set('key-2', 20).set('key-5', 5)
  expect([...memory.values()]).toEqual([4, 20, 5])
  expect(gone).toEqual(['key-0', 'key-1', 'key-3'])
})
