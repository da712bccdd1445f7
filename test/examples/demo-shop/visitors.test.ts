import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { root } from '../../support/root.js'

const file = pathToFileURL(join(root, 'examples/demo-shop/visitors.mjs')).href
const {
  visitorLimit,
}: { visitorLimit: (perMinute: number, now: () => number) => (visitor: string) => void } = await import(file)

test('a visitor may ask so often in any minute, and others are not counted with them', () => {
  let now = 0
  const ask = visitorLimit(2, () => now)
  ask('a')
  now = 30_000
  ask('a')
  expect(() => ask('a')).toThrow('Please wait a minute')
  ask('b')
  now = 60_000
  ask('a')
  expect(() => ask('a')).toThrow('Please wait a minute')
})

test('what was refused is not counted, so that waiting a minute is enough', () => {
  let now = 0
  const ask = visitorLimit(1, () => now)
  ask('a')
  now = 59_999
  expect(() => ask('a')).toThrow('Please wait a minute')
  now = 60_000
  ask('a')
})

test('remembers ten thousand visitors, and lets go of the one who was away longest', () => {
  const ask = visitorLimit(1, () => 0)
  for (let visitor = 0; visitor <= 10_000; visitor += 1) ask(String(visitor))
  ask('0')
  expect(() => ask('10000')).toThrow('Please wait a minute')
})
