import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  anything,
  byDefault,
  didYouMean,
  duration,
  flag,
  is,
  oneOf,
  type Rows,
  read,
  required,
  text,
  type Words,
} from '../../../src/client/input/reader.js'

/** A teapot as an interface, and as the table that reads it. */
interface Tea {
  kind: 'green' | 'black'
  brewMs?: number | undefined
  sugar?: boolean | undefined
  label?: string
}

const rows = {
  kind: required(oneOf('green', 'black')),
  brewMs: byDefault(duration, 180_000),
  sugar: flag,
  label: text,
} satisfies Rows<Tea>

const words: Words = {
  notKnown: (name, known, path) => `is not known${didYouMean(name, known, path)}`,
  refuse: (name, why) => new RangeError(`${name} ${why}`),
  needsObject: () => new TypeError('no tea'),
}

const tea = (given: unknown, path = '') => read(given, rows, words, path)

function refusal(given: unknown, path = ''): string {
  try {
    tea(given, path)
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return error.message
  }
  return 'nothing was refused'
}

describe('a table keeps what fits, and its defaults for what is not given', () => {
  it.each([
    [{ kind: 'green' }, { kind: 'green', brewMs: 180_000, sugar: undefined, label: undefined }],
    [
      { kind: 'black', brewMs: 1, sugar: false },
      { kind: 'black', brewMs: 1, sugar: false, label: undefined },
    ],
    [
      { label: 'x', kind: 'green', brewMs: undefined },
      { label: 'x', kind: 'green', brewMs: 180_000, sugar: undefined },
    ],
  ])('%j', (given, kept) => {
    expect({ ...tea(given) }).toEqual(kept)
  })

  it('in the order that the caller gave, and what was not given after it', () => {
    expect(Object.keys(tea({ label: 'x', kind: 'green' }))).toEqual(['label', 'kind', 'brewMs', 'sugar'])
  })

  it('and leaves the object that was given as it was', () => {
    const given = Object.freeze({ kind: 'green' })
    expect(tea(given)).not.toBe(given)
    expect(Object.keys(given)).toEqual(['kind'])
  })
})

describe('what does not fit is refused in a sentence about its name', () => {
  it.each([
    [{}, 'kind is missing; it must be "green" or "black"'],
    [{ kind: undefined }, 'kind is missing; it must be "green" or "black"'],
    [{ kind: null }, 'kind must be "green" or "black"'],
    [{ kind: 'white' }, 'kind must be "green" or "black"'],
    [{ kind: 'green', brewMs: 0 }, 'brewMs must be a number of milliseconds from 1 to 2147483647'],
    [{ kind: 'green', sugar: 'no' }, 'sugar must be true or false'],
    [{ kind: 'green', label: '' }, 'label must be a text that is not empty'],
  ])('%j: %s', (given, sentence) => {
    expect(refusal(given)).toBe(sentence)
    expect(refusal(given, 'cup.')).toBe(`cup.${sentence}`)
  })

  it.each([null, undefined, 5, 'green', [], [{ kind: 'green' }], () => rows])(
    'what is no object: %o',
    (given) => {
      expect(refusal(given)).toBe('no tea')
    },
  )
})

describe('a name that has no row is refused', () => {
  it.each([
    [{ kindd: 1 }, 'kindd is not known; did you mean kind?'],
    [{ brew_ms: undefined }, 'brew_ms is not known; did you mean brewMs?'],
    [{ milk: 1 }, 'milk is not known'],
    [{ toString: 1 }, 'toString is not known'],
    [JSON.parse('{"__proto__":{"kind":"green"}}'), '__proto__ is not known'],
    [{ 'jane@shop.example': 1 }, '(not shown) is not known'],
  ])('%o', (more, sentence) => {
    const given = Object.defineProperties({ kind: 'green' }, Object.getOwnPropertyDescriptors(more))
    expect(refusal(given)).toBe(sentence)
  })

  it('and named with what is around it', () => {
    expect(refusal({ kindd: 1 }, 'cup.')).toBe('cup.kindd is not known; did you mean cup.kind?')
  })
})

describe('a table is held to its interface by the compiler', () => {
  it('and what is read has its types', () => {
    const kept = tea({ kind: 'green' })
    expectTypeOf(kept.kind).toEqualTypeOf<'green' | 'black'>()
    expectTypeOf(kept.brewMs).toEqualTypeOf<number>()
    expectTypeOf(kept.sugar).toEqualTypeOf<boolean | undefined>()
    expectTypeOf(kept.label).toEqualTypeOf<string | undefined>()
  })

  it('a name without a row, a row without a name and a row of another type do not compile', () => {
    const { label: _label, ...short } = rows
    // @ts-expect-error label has no row
    const missing = short satisfies Rows<Tea>
    // @ts-expect-error milk is no name
    const more = { ...rows, milk: flag } satisfies Rows<Tea>
    // @ts-expect-error sugar is no text
    const other = { ...rows, sugar: text } satisfies Rows<Tea>
    // @ts-expect-error kind can't be left out
    const open = { ...rows, kind: oneOf('green', 'black') } satisfies Rows<Tea>
    expect([missing, more, other, open]).toHaveLength(4)
  })

  it('and a union has the rows of all its members', () => {
    type Sweet = { sugar: number; honey?: never } | { honey: number; sugar?: undefined }
    const sweet = {
      sugar: anything<number>(),
      honey: is<number>('spoons', Number.isFinite),
    } satisfies Rows<Sweet>
    // @ts-expect-error honey has no row
    const bitter = { sugar: sweet.sugar } satisfies Rows<Sweet>
    expect([sweet, bitter]).toHaveLength(2)
  })
})
