import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { root } from '../../support/root.js'

const file = pathToFileURL(join(root, 'examples/demo-shop/public/amount.mjs')).href
const {
  parseCents,
  decimal,
}: { parseCents: (text: string) => number | undefined; decimal: (cents: number) => string } = await import(
  file
)

test.each([
  ['12', 1200],
  ['12.5', 1250],
  ['12,5', 1250],
  ['12.50', 1250],
  [' 12,50 ', 1250],
  ['1,234.50', 123450],
  ['1.234,50', 123450],
  ['1 234,50', 123450],
  ['1’234.50', 123450],
  ['1\u202f234,5', 123450],
  ['1,234,567', 123456700],
  ['1.234.567,89', 123456789],
  ['0.07', 7],
])('%s is %i cents', (text, cents) => {
  expect(parseCents(text)).toBe(cents)
})

test.each([
  '',
  '.',
  ',50',
  '12.',
  '12.345',
  '1,234',
  '1.234',
  '12,34,50',
  '1,23.50',
  '1.234.5',
  '12 50',
  '-5',
  '1e3',
  '0x10',
  '٣',
  '12 EUR',
  '1234567890',
])('%s is no amount, or could be two', (text) => {
  expect(parseCents(text)).toBeUndefined()
})

test('cents are written as a decimal', () => {
  expect([0, 7, 50, 100, 123456789].map(decimal)).toEqual(['0.00', '0.07', '0.50', '1.00', '1234567.89'])
})
