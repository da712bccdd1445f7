import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fill, hasShape } from '../../../packages/sandbox/src/gateway/profile/fill-shape.js'
import type { Shape } from '../../../src/client/profile/shape.js'
import { differences } from '../../../src/profile/shapes/compare-shapes.js'
import { mergeShapes } from '../../../src/profile/shapes/merge-shapes.js'
import { shapeOf, shapeOfBody } from '../../../src/profile/shapes/shape-of.js'

describe('the shape of a value', () => {
  test.each<[value: unknown, shape: Shape]>([
    ['SUCCESS', 'string'],
    [12.5, 'number'],
    [true, 'boolean'],
    [null, 'null'],
    [undefined, 'any'],
    [[], []],
    [{}, {}],
    [[1, 'a', null], ['number|string|null']],
    [[{ a: 1 }, { a: 'x', b: true }], [{ a: 'number|string', 'b?': 'boolean' }]],
    [[1, {}], ['any']],
    [[{ a: null }, { a: { b: 1 } }], [{ 'a?': { b: 'number' } }]],
    [[[], [1]], [['number']]],
    [{ process: { status: 'X' } }, { process: { status: 'string' } }],
    [
      { 'x-id': 1, $ref: 2, 'a.b': 3 },
      { 'x-id': 'number', $ref: 'number', 'a.b': 'number' },
    ],
    [{ USD: 1, EUR: 2 }, { '*': 'number' }],
    [{ 'order-8271-a': 1 }, { '*': 'number' }],
    [{ 'Ann Miller': 1, '': 2, 'a?': 'b' }, { '*': 'number|string' }],
    [{ ['a'.repeat(65)]: 1 }, { '*': 'number' }],
    [JSON.parse('{"__proto__":{"polluted":1},"constructor":2,"prototype":3}'), { '*': 'any' }],
  ])('of %j is %j', (value, shape) => {
    expect(shapeOf(value, [])).toEqual(shape)
  })

  test.each([
    ['secret', 'SECRET'],
    ['secret', 'mySecretField'],
    ['ACC-77-12', 'acc7712'],
    ['acc 77 12', 'ACC.77.12'],
    ['Jürgen', 'jurgen'],
  ])('shows no name that holds %j: %s', (hidden, name) => {
    expect(shapeOf({ [name]: 1, other: { [name]: 'x' } }, [hidden])).toEqual({
      '*': 'number',
      other: { '*': 'string' },
    })
  })

  test("keeps the specification's own names, whatever is to be hidden", () => {
    expect(shapeOf({ paymentMethodCode: 'x', code: 'y' }, ['Code'])).toEqual({
      paymentMethodCode: 'string',
      code: 'string',
    })
  })

  test('shows no name at all when there is too much to hide', () => {
    const hidden = Array.from({ length: 1001 }, (_, at) => `secret number ${at}`)
    expect(shapeOf({ field: 1, status: 'x' }, hidden)).toEqual({ '*': 'number', status: 'string' })
  })

  test('reads own fields only, and no getters', () => {
    const template = Object.create({ inherited: 1 })
    const value = Object.defineProperty(template, 'own', {
      enumerable: true,
      get: () => {
        throw new Error('was read')
      },
    })
    expect(shapeOf(value, [])).toEqual({})
  })

  test('ends for what is deep, wide, long or a circle', () => {
    const circle: Record<string, unknown> = {}
    circle.inside = circle
    const deep = JSON.parse(`${'['.repeat(3000)}${']'.repeat(3000)}`)
    const wide = Object.fromEntries(
      Array.from({ length: 5000 }, (_, at) => [
        `f${String.fromCharCode(97 + (at % 26))}${'x'.repeat(at % 50)}`,
        at,
      ]),
    )
    const broad = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => [[1], [2]]))
    for (const value of [circle, deep, wide, broad, { many: Array(100_000).fill(1) }]) {
      const shape = shapeOf(value, ['hidden'])
      expect(JSON.stringify(shape).length).toBeLessThan(20_000)
      expect(hasShape(value, shape)).toBe(true)
    }
  })

  test.each<[body: string, shape: Shape | undefined]>([
    ['', undefined],
    ['<html>', 'text'],
    ['"a.b.c"', 'string'],
    ['{"a":1}', { a: 'number' }],
  ])('of the body %j is %j', (body, shape) => {
    expect(shapeOfBody(body, [])).toEqual(shape)
  })
})

describe('two shapes merged', () => {
  test.each<[a: Shape, b: Shape, merged: Shape]>([
    ['string', 'string', 'string'],
    ['string', 'null', 'string|null'],
    ['string|null', 'number', 'number|string|null'],
    ['any', 'string', 'any'],
    ['string', 'text', 'string|text'],
    ['string', {}, 'any'],
    [[], {}, 'any'],
    [[], ['string'], ['string']],
    [{ a: 'string' }, {}, { 'a?': 'string' }],
    [{ 'a?': 'string' }, { a: 'number' }, { 'a?': 'number|string' }],
    [{ a: 'null' }, { a: ['number'] }, { 'a?': ['number'] }],
    [{ '*': 'number' }, {}, { '*': 'number' }],
    [{ a: { b: 'string' } }, { a: { c: 'string' } }, { a: { 'b?': 'string', 'c?': 'string' } }],
  ])('%j and %j are %j', (a, b, merged) => {
    expect(mergeShapes(a, b)).toEqual(merged)
  })

  test('have a limit of fields', () => {
    const fields = (from: string) =>
      Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`${from}${'x'.repeat(at)}`, 'number']))
    const merged = mergeShapes(fields('a'), fields('b'))
    expect(Object.keys(merged)).toHaveLength(201)
    expect(merged).toHaveProperty(['*'], 'number')
  })
})

describe('what has a shape', () => {
  test.each<[value: unknown, shape: Shape, has: boolean]>([
    ['x', 'string|null', true],
    [null, 'string|null', true],
    [1, 'string', false],
    [undefined, 'string', false],
    [{ a: 1 }, 'any', true],
    [[], [], true],
    [[1], [], false],
    [[], ['string'], true],
    [['x', 1], ['string'], false],
    [{}, { a: 'string' }, false],
    [{}, { 'a?': 'string' }, true],
    [{ a: null }, { 'a?': 'string' }, false],
    [{ a: null }, { 'a?': {} }, true],
    [{ a: 'x', b: 1 }, { a: 'string' }, false],
    [{ USD: 1 }, { '*': 'number' }, true],
    [{ USD: 'x' }, { '*': 'number' }, false],
    [{}, { '*': 'number' }, true],
    [{}, { toString: 'string' }, false],
    [[], {}, false],
  ])('%j, %j: %s', (value, shape, has) => {
    expect(hasShape(value, shape)).toBe(has)
  })
})

describe('what differs', () => {
  test.each<[before: Shape | undefined, now: Shape | undefined, sentences: readonly string[]]>([
    [{ process: { status: 'string' } }, { process: {} }, ['payins: `process.status` is gone']],
    [{}, { trace: 'string' }, ['payins: `trace` is new (string)']],
    [{}, { trace: {} }, ['payins: `trace` is new (an object)']],
    [{ a: 'string' }, { a: 'number|null' }, ['payins: `a` is number or null now, and was string']],
    [{ a: 'string|null' }, { a: 'string' }, []],
    [{ a: 'string' }, { 'a?': 'string' }, ['payins: `a` is not always there now']],
    [{ 'a?': 'string' }, {}, []],
    [{ 'a?': {} }, { a: 'null' }, []],
    [{ a: [{ b: 'string' }] }, { a: [{}] }, ['payins: `a[].b` is gone']],
    [{ a: [] }, { a: ['string'] }, []],
    [{ a: {} }, { a: [] }, ['payins: `a` is a list now, and was an object']],
    [{ a: 'any' }, { a: [] }, []],
    [{ '*': 'number' }, {}, []],
    [{ '*': 'number' }, { fee: 'string' }, ['payins: `fee` is string now, and was number']],
    ['text', { a: 'string' }, ['payins: the body is an object now, and was text']],
    [undefined, {}, ['payins: the body is new (an object)']],
    [{}, undefined, ['payins: the body is gone']],
    [undefined, undefined, []],
  ])('%j and then %j: %j', (before, now, sentences) => {
    expect(differences(before, now, 'payins')).toEqual(sentences)
  })

  test('is said in as many sentences as a person reads', () => {
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`f${'x'.repeat(at)}`, 'string']))
    const sentences = differences(many, {}, 'payins')
    expect(sentences).toHaveLength(21)
    expect(sentences.at(-1)).toBe('payins: and 70 more')
  })
})

describe('a shape filled', () => {
  test.each<[shape: Shape, own: unknown, value: unknown]>([
    ['string', 'x', 'x'],
    ['string', 5, '5'],
    ['number', '12.50', 12.5],
    ['number', 'x', 0],
    ['number', '', 0],
    ['boolean', 'x', false],
    ['string|null', undefined, null],
    ['any', { a: 1 }, { a: 1 }],
    ['any', undefined, null],
    [{ a: 'string' }, { a: 'x', b: 1 }, { a: 'x' }],
    [{ a: 'string', 'b?': 'string' }, {}, { a: '' }],
    [{ 'b?': 'string' }, { b: 'x' }, { b: 'x' }],
    [{ 'b?': { c: 'string' } }, { b: null }, { b: null }],
    [{ a: { b: 'string' } }, {}, { a: { b: '' } }],
    [[{ a: 'string' }], [{ a: 'x' }, {}], [{ a: 'x' }, { a: '' }]],
    [[{ a: 'string' }], undefined, [{ a: '' }]],
    [[], [1], []],
    [
      { errors: [{ code: 'string', message: 'string' }] },
      { code: 'c', message: 'm' },
      { errors: [{ code: 'c', message: 'm' }] },
    ],
    [
      { data: { process: { status: 'string' } } },
      { process: { status: 'S' } },
      { data: { process: { status: 'S' } } },
    ],
    [{ status: 'string' }, { process: { status: 'S' } }, { status: 'S' }],
    [{ fee: { amount: 'number' } }, { money: { amount: 5 } }, { fee: { amount: 0 } }],
    [{ '*': 'number' }, { USD: 5, name: 'x' }, { USD: 5 }],
    [{ toString: 'string' }, {}, { toString: '' }],
  ])('%j with %j is %j', (shape, own, value) => {
    expect(fill(shape, own)).toEqual(value)
  })
})

const name = fc.oneof(
  fc.constantFrom('status', 'process', 'a', 'b', '__proto__', 'USD', 'x y', 'toString'),
  fc.string(),
)
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map((pairs) => Object.fromEntries(pairs)),
  ),
})).value

describe('whatever JSON comes', () => {
  const runs = { numRuns: 300 }

  test('it has its own shape, which differs from itself in nothing and is JSON', () => {
    fc.assert(
      fc.property(json, (value) => {
        const shape = shapeOf(value, ['hidden text'])
        expect(hasShape(value, shape)).toBe(true)
        expect(differences(shape, shape, 'x')).toEqual([])
        expect(JSON.parse(JSON.stringify(shape))).toEqual(shape)
      }),
      runs,
    )
  })

  test('a merged shape takes both values, says no more when it is merged again, and differs from neither', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const merged = mergeShapes(shapeOf(a, []), shapeOf(b, []))
        expect(hasShape(a, merged)).toBe(true)
        expect(hasShape(b, merged)).toBe(true)
        expect(mergeShapes(merged, merged)).toEqual(merged)
        expect(mergeShapes(merged, shapeOf(a, []))).toEqual(merged)
        expect(differences(merged, shapeOf(b, []), 'x')).toEqual([])
      }),
      runs,
    )
  })

  test('a filled shape has that shape, whatever it was filled with', () => {
    fc.assert(
      fc.property(json, json, json, (a, b, own) => {
        const shape = mergeShapes(shapeOf(a, []), shapeOf(b, []))
        expect(hasShape(fill(shape, own), shape)).toBe(true)
        expect(hasShape(fill(shapeOf(a, []), own), shapeOf(a, []))).toBe(true)
      }),
      runs,
    )
  })

  test('nothing of a value and no hidden text is in its shape', () => {
    const secret = 'CANARY-7f3a-QQ'
    const disguises = [
      secret,
      secret.toLowerCase(),
      `x${secret}y`,
      encodeURIComponent(`${secret} é`),
      [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
      [...secret].map((letter) => `&#${letter.charCodeAt(0)};`).join(''),
      [...secret].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join(''),
      secret.replaceAll('-', '_'),
      secret.replaceAll('-', '.'),
    ]
    fc.assert(
      fc.property(json, fc.constantFrom(...disguises), json, (value, disguise, inside) => {
        const shape = JSON.stringify(shapeOf([{ [disguise]: inside, a: disguise }, value], [secret]))
        expect(shape.toUpperCase().replace(/[^A-Z0-9]/g, '')).not.toContain('CANARY')
      }),
      runs,
    )
  })
})
