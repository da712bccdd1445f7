import { expect, test } from 'vitest'
import { KeyedLog } from '../../src/gateway/memory/keyed-log.js'

interface Entry {
  readonly name: string
  bytes: number
}

const limits = { maxEntries: 3, maxBytes: 1_000_000, firstOfKey: 2 }
const isA = ({ name }: Entry) => name.startsWith('a')
const namesOf = (entries: readonly Entry[]) => entries.map(({ name }) => name)

function logOf(more: Partial<typeof limits> = {}) {
  const log = new KeyedLog<Entry>({ ...limits, ...more }, ({ bytes }) => bytes)
  const add = (name: string, bytes = 0) => {
    const entry = { name, bytes }
    const count = log.add(entry, name.slice(0, 1))
    return (grown: number) => {
      entry.bytes = grown
      count()
    }
  }
  return { log, add }
}

test('keeps the newest entries, and the first ones about each key', () => {
  const { log, add } = logOf()
  for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'a5']) add(name)
  expect(namesOf(log.toArray())).toEqual(['b1', 'a4', 'a5'])
  expect(namesOf(log.about('a', isA))).toEqual(['a1', 'a2', 'a4', 'a5'])
  expect(namesOf(log.firstAbout('b'))).toEqual(['b1'])
  log.clear()
  expect([log.toArray(), log.about('a', isA)]).toEqual([[], []])
})

test('counts the bytes by which an entry grows, and forgets the oldest for them', () => {
  const { log, add } = logOf({ maxBytes: 1000 })
  const growFirst = add('a', 300)
  const growSecond = add('b', 300)
  expect(namesOf(log.toArray())).toEqual(['a', 'b'])
  growSecond(700)
  expect(namesOf(log.toArray())).toEqual(['b'])
  expect(log.firstAbout('a')).toEqual([])
  // What has been forgotten counts no more, however it grows.
  growFirst(5000)
  add('c', 50)
  expect(namesOf(log.toArray())).toEqual(['b', 'c'])
})

test('always has the newest, whatever its size', () => {
  const { log, add } = logOf({ maxBytes: 1000 })
  for (let entry = 0; entry < 5000; entry += 1) add(`a${entry}`)
  expect(namesOf(log.toArray())).toEqual(['a4997', 'a4998', 'a4999'])
  add('b', 5000)
  expect(namesOf(log.toArray())).toEqual(['b'])
})

test('that is to keep nothing keeps nothing', () => {
  const { log, add } = logOf({ maxEntries: 0 })
  add('a')(100)
  expect([log.toArray(), log.about('a', isA)]).toEqual([[], []])
})
