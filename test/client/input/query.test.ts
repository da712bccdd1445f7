import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commaJoined, type QueryValue, queryString } from '../../../src/client/input/query.js'
import { caught } from '../../support/caught.js'

describe('several values of one attribute are joined by commas', () => {
  it.each([
    [['EUR'], 'EUR'],
    [['EUR', 'USD'], 'EUR,USD'],
    [[1, 2.5], '1,2.5'],
    [['a b', 'c&d', 'e=f', '€'], 'a%20b,c%26d,e%3Df,%E2%82%AC'],
  ])('%j as %s', (values, text) => {
    expect(commaJoined(values, 'currencies')).toBe(text)
  })

  it.each([
    ['a comma, which would make two of it', 'EUR,USD'],
    ['nothing', ''],
    ['half a character', '\ud83d'],
  ])('a value that holds %s is refused', async (_what, value) => {
    const error = await caught(() => commaJoined(['EUR', value], 'currencies'))
    expect(error).toMatchObject({ code: 'invalid_input', field: 'currencies' })
    expect(error.message).toMatch(/; nothing was sent\.$/)
  })
})

describe('a query', () => {
  it.each<readonly [Readonly<Record<string, QueryValue | undefined>> | undefined, string]>([
    [undefined, ''],
    [{}, ''],
    [{ from: undefined }, ''],
    [{ page: 2, all: true, name: 'a b' }, '?page=2&all=true&name=a%20b'],
    [{ currencies: ['EUR', 'USD'], page: 0 }, '?currencies=EUR,USD&page=0'],
    [{ 'a&b': 'c#d' }, '?a%26b=c%23d'],
  ])('of %j is "%s"', (query, text) => {
    expect(queryString(query)).toBe(text)
  })

  it.each([
    '{"from":{"year":2026}}',
    '{"from":null}',
    '{"page":1e999}',
    '{"pages":[1e999]}',
    '{"codes":[["a"]]}',
  ])('with a value that has no one way to be written is refused: %s', async (query) => {
    const error = await caught(() => queryString(JSON.parse(query)))
    expect(error).toMatchObject({
      code: 'invalid_input',
      field: `query.${Object.keys(JSON.parse(query))[0]}`,
    })
  })

  it('names the attribute that is wrong', async () => {
    expect(await caught(() => queryString({ codes: ['a,b'] }))).toMatchObject({ field: 'query.codes' })
    expect(await caught(() => queryString({ code: '\ud83d' }))).toMatchObject({ field: 'query.code' })
  })
})

it('a list goes out as one value with commas, each part as it was, and is refused only where it can not', () => {
  const words = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(...'EUR USD eur , a,b %2C & = # + % 😀'.split(' '), '', ' ', '\ud800', '\u0000'),
  )
  const isOdd = (one: string) => one === '' || one.includes(',') || /\p{Surrogate}/u.test(one)
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 5 }), (values) => {
      if (values.some(isOdd)) {
        expect(() => queryString({ 'a b&c': values })).toThrow(/query/)
        return
      }
      const [, name = '', value = ''] = /^\?([^&=]+)=([^&=]*)$/.exec(queryString({ 'a b&c': values })) ?? []
      expect([decodeURIComponent(name), ...value.split(',').map(decodeURIComponent)]).toEqual([
        'a b&c',
        ...values,
      ])
    }),
    { numRuns: 300 },
  )
})
