import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BoundedMap } from '../../src/gateway/memory/bounded-map.js'

const KEY = 'key-0'
const entryBytes = (bytes: number) => bytes + KEY.length * 2 + 100

test('keeps the newest, as many as it was told', () => {
  const gone: string[] = []
  const memory = new BoundedMap<number>(3, Number.POSITIVE_INFINITY, (_value, key) => gone.push(key))
  for (const value of [0, 1, 2, 3, 4]) memory.set(`key-${value}`, value)
  expect([memory.values(), memory.size, gone]).toEqual([[2, 3, 4], 3, ['key-0', 'key-1']])
  expect([memory.get('key-1'), memory.has('key-1'), memory.get('key-2')]).toEqual([undefined, false, 2])
})

test('keeps no more bytes than it was told, and the newest whatever its size', () => {
  const memory = new BoundedMap<string>(100, entryBytes(1000) * 2)
  memory.set('key-0', 'a', 1000)
  memory.set('key-1', 'b', 1000)
  expect(memory.values()).toEqual(['a', 'b'])
  memory.set('key-2', 'c', 1001)
  expect(memory.values()).toEqual(['c'])
  memory.set('key-3', 'd', 1_000_000)
  expect(memory.values()).toEqual(['d'])
  memory.set('key-4', 'e', 1)
  expect(memory.values()).toEqual(['e'])
})

test('never holds more than its bounds, whatever is put in and over again', () => {
  const puts = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 500 })))
  fc.assert(
    fc.property(puts, (all) => {
      const memory = new BoundedMap<number>(5, 1500)
      for (const [key, bytes] of all) {
        memory.set(`key-${key}`, entryBytes(bytes), bytes)
        const sum = memory.values().reduce((total, value) => total + value, 0)
        expect(memory.size).toBeLessThanOrEqual(5)
        expect(sum).toBeLessThanOrEqual(1500)
        expect(memory.get(`key-${key}`)).toBe(entryBytes(bytes))
      }
    }),
  )
})
