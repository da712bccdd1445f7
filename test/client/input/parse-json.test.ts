import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOvergrown } from '../../../src/client/input/json.js'

const megabyte = 1024 * 1024
const named = (count: number, between: string) =>
  `[{${Array.from({ length: count }, (_, n) => `"name ${n}" :0`).join(between)}}]`
const nested = (depth: number, filler = '') => `${'['.repeat(depth)}"${filler}"${']'.repeat(depth)}`

describe('a text costs too much to parse', () => {
  it.each([
    ['lists in lists', '['.repeat(megabyte)],
    ['objects in objects', '{"a":'.repeat(megabyte / 4)],
    ['both by turns', '[{"a":'.repeat(megabyte / 4)],
    ['a million empty objects', `[${'{},'.repeat(megabyte)}{}]`],
    ['a thousand and one lists around much text', nested(1_001, 'x'.repeat(megabyte))],
    ['more than 50,000 names in one object', named(50_001, ',')],
    ['as many in objects of their own', named(50_001, '},{')],
    ['brackets behind a string that ends in a backslash', `["\\\\",${'['.repeat(megabyte)}`],
  ])('%s', (_what, text) => {
    expect(isOvergrown(text)).toBe(true)
  })
})

describe('a text is worth its time', () => {
  it.each([
    ['nothing', ''],
    ['what is short, however deep', '['.repeat(60_000)],
    ['a thousand lists around much text', nested(1_000, 'x'.repeat(megabyte))],
    ['brackets in a string', JSON.stringify('[{'.repeat(megabyte))],
    ['brackets in a string behind escaped quotes', JSON.stringify(`"\\"${'[{'.repeat(megabyte)}`)],
    ['50,000 names', named(50_000, ',')],
    ['numbers', `[${'0,'.repeat(megabyte)}0]`],
    ['a long list of operators', `[${'{"code":"A","name":"B"},'.repeat(160_000)}{}]`],
    ['a string without an end', `"${'['.repeat(megabyte)}`],
  ])('%s', (_what, text) => {
    expect(isOvergrown(text)).toBe(false)
  })

  it('any JSON of ordinary depth, however long its texts', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary' }), (value, text) => {
        expect(isOvergrown(JSON.stringify([value, text, 'x'.repeat(100_000)]))).toBe(false)
      }),
      { numRuns: 30 },
    )
  })
})
