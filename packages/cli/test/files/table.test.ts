import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellsOf } from '../../src/files/table.js'

test.each([
  ['a,b', ['a', 'b']],
  [' a , b ', ['a', 'b']],
  ['a,,', ['a', '', '']],
  ['"a,b",c', ['a,b', 'c']],
  ['a, "b" ,c', ['a', 'b', 'c']],
  ['"a ""b"", c",""', ['a "b", c', '']],
  ['""""', ['"']],
])('the cells of %s', (line, cells) => {
  expect(cellsOf(line, ',')).toEqual(cells)
})

test.each([
  ['"a,b', 'is opened and not closed'],
  ['a,"b","c', 'is opened and not closed'],
  ['a"b,c', 'stands in the middle'],
  ['"a"b,c', 'stands in the middle'],
  ['"a" "b",c', 'stands in the middle'],
])('%s is no line: a quote %s', (line, why) => {
  expect(() => cellsOf(line, ',')).toThrow(
    expect.objectContaining({ reasons: [expect.stringContaining(why)] }),
  )
})

test('a tab between cells is no blank around them', () => {
  expect(cellsOf('a\t\t"b\tc"\t', '\t')).toEqual(['a', '', 'b\tc', ''])
})

describe.each([',', ';', '\t'])('a line of any cells, with %j between them', (delimiter) => {
  const line = fc.array(fc.stringMatching(/^[ab",;\t=\u00e4\u{1f4b6} ]{0,8}$/u), { minLength: 2 })

  test('is read here as it was written', () => {
    fc.assert(
      fc.property(line, (cells) => {
        expect(cellsOf(stringify([cells], { delimiter, record_delimiter: '' }), delimiter)).toEqual(
          cells.map((cell) => cell.trim()),
        )
      }),
    )
  })
})
