import fc from 'fast-check'
import { expect, it } from 'vitest'
import { serialise } from '../../../src/client/input/values.js'

it.each([
  [1e-7, '0.0000001'],
  [1.25e-10, '0.000000000125'],
  [-1e-7, '-0.0000001'],
  [1e-6, '0.000001'],
  [10.5, '10.5'],
  [[5e-324, { a: 2e-9 }], `[0.${'0'.repeat(323)}5,{"a":0.000000002}]`],
  ['1e-7', '"1e-7"'],
  [{ '"1e-7': 'a\\"3e-8,', b: 1e-8 }, '{"\\"1e-7":"a\\\\\\"3e-8,","b":0.00000001}'],
])('%j is %s', (value, json) => {
  expect(serialise(value)).toBe(json)
})

it('means what JSON means, without small exponents outside of texts', () => {
  const small = fc.double({ min: -1e-6, max: 1e-6, noNaN: true })
  fc.assert(
    fc.property(fc.array(fc.oneof(small, fc.string(), fc.constantFrom('1e-7', '"2e-9'))), (values) => {
      const json = serialise(values)
      expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(values)))
      expect(json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '')).not.toContain('e-')
    }),
  )
})
