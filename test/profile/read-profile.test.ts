import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigurationError } from '../../src/client/errors.js'
import { profileJsonSchema } from '../../src/profile/json-schema.js'
import { readProfile } from '../../src/profile/read-profile.js'
import { shapeOf } from '../../src/profile/shapes/shape-of.js'
import { fullProfile } from './sample.js'

const validates = new Ajv2020({ strict: true, allErrors: false }).compile(profileJsonSchema)
const messageOf = (json: unknown) => {
  try {
    readProfile(json)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return error instanceof Error ? error.message : ''
  }
  return undefined
}

test('a profile is read as it was written', () => {
  expect(readProfile(JSON.parse(JSON.stringify(fullProfile)))).toEqual(fullProfile)
  expect(validates(fullProfile)).toBe(true)
})

test('the least of a profile is its version', () => {
  expect(readProfile({ profileVersion: 1 })).toEqual({ profileVersion: 1 })
})

test('what a later version of the format has added is left out', () => {
  const later = {
    profileVersion: 1,
    more: { a: 1 },
    tokens: { field: 'a', newer: 'x' },
    refusals: { newer: 5 },
  }
  expect(readProfile(later)).toEqual({ profileVersion: 1, tokens: { field: 'a' }, refusals: {} })
  expect(validates(later)).toBe(true)
})

test('the copy shares nothing with what was read', () => {
  const given = { profileVersion: 1, payins: { statuses: { PAID: 'final' } } }
  const read = readProfile(given)
  given.payins.statuses.PAID = 'passing'
  expect(read.payins?.statuses).toEqual({ PAID: 'final' })
})

describe('a wrong profile is refused, and nothing of it is shown', () => {
  const profile = (more: object) => ({ profileVersion: 1, ...more })
  test.each<[json: unknown, message: string]>([
    [null, 'it must be an object'],
    [{}, 'profileVersion is missing'],
    [{ profileVersion: 2 }, 'profileVersion must be 1, the version of the format that this package knows'],
    [profile({ tokens: 'CANARY' }), 'tokens must be an object'],
    [profile({ tokens: { format: 'CANARY' } }), 'tokens.format must be one of json, json-string, text'],
    [profile({ tokens: { field: 5 } }), 'tokens.field must be a text'],
    [
      profile({ payins: { statusField: 'paymentMethod.account.accountName' } }),
      'payins.statusField names a field that customers write, and what they write there is no status',
    ],
    [
      profile({ tokens: { field: 'CANARY CANARY' } }),
      "tokens.field holds characters that don't belong there",
    ],
    [profile({ tokens: { statesItsEnd: 'yes' } }), 'tokens.statesItsEnd must be true or false'],
    [
      profile({ tokens: { longestValiditySecs: 0.5 } }),
      'tokens.longestValiditySecs must be a whole number from 1 to 9007199254740991',
    ],
    [
      profile({ payins: { statuses: { CANARY: 'done' } } }),
      'payins.statuses.* must be one of final, passing, unclear',
    ],
    [
      profile({ payins: { statuses: { 'CANARY\n': 'final' } } }),
      'payins.statuses has a field whose name is none',
    ],
    [profile({ answers: { 'GET /a': {} } }), 'answers.*.status is missing'],
    [
      profile({ answers: { 'GET /a': { status: 200, body: { CANARY: 'CANARY' } } } }),
      "answers.*.body.* holds characters that don't belong there",
    ],
    [
      profile({ answers: { 'GET /a': { status: 200, body: 5 } } }),
      'answers.*.body must be a text or a list or an object',
    ],
    [
      profile({ answers: { 'GET /a': { status: 200, body: ['string', 'string'] } } }),
      'answers.*.body must have at most 1 entries',
    ],
    [profile({ notSeen: { a: 'x'.repeat(301) } }), 'notSeen.* must have at most 300 characters'],
    [
      profile({ notSeen: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`a${at}`, 'x'])) }),
      'notSeen must have at most 100 fields',
    ],
  ])('%j: %s', (json, message) => {
    expect(messageOf(json)).toBe(`the profile can't be read: ${message}.`)
    expect(message).not.toContain('CANARY')
    expect(validates(json)).toBe(false)
  })

  test('also one that is endless, or deeper than anybody wrote it', () => {
    const nested = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
    expect(messageOf(profile({ answers: { 'GET /a': { status: 200, body: nested } } }))).toMatch(
      /holds too much/,
    )
    const fields = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`f${at}`, 'string']))
    const rows = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`r${at}`, fields]))
    expect(messageOf(profile({ answers: { 'GET /a': { status: 200, body: rows } } }))).toMatch(
      /holds too much/,
    )
  })

  test('a name that reaches a prototype, which goes nowhere', () => {
    const json =
      '{"profileVersion":1,"__proto__":{"tokens":{"field":"a"}},"payins":{"statuses":{"__proto__":"final"}}}'
    expect(messageOf(JSON.parse(json))).toMatch(/payins\.statuses has a field whose name is none/)
    for (const field of ['process.constructor.name', 'a.__proto__.b', 'a.b.prototype', 'constructor']) {
      expect(messageOf(profile({ payins: { statusField: field } }))).toMatch(/payins\.statusField holds/)
      expect(messageOf(profile({ tokens: { field } }))).toMatch(/tokens\.field holds/)
    }
    const near = 'process.constructors.prototype_state'
    expect(readProfile(profile({ payins: { statusField: near } })).payins?.statusField).toBe(near)
    expect(readProfile(JSON.parse('{"profileVersion":1,"__proto__":{"tokens":{}}}')).tokens).toBeUndefined()
  })
})

describe('reader and schema agree', () => {
  /** Every place of a profile, so that something else can be put there. */
  const places: string[][] = []
  const visit = (value: unknown, path: string[]) => {
    places.push(path)
    if (typeof value === 'object' && value !== null) {
      for (const [name, field] of Object.entries(value)) visit(field, [...path, name])
    }
  }
  visit(fullProfile, [])
  const put = (value: unknown, path: readonly string[], what: unknown): unknown => {
    const [name, ...rest] = path
    if (name === undefined) return what
    if (Array.isArray(value))
      return value.map((one, at) => (String(at) === name ? put(one, rest, what) : one))
    return Object.fromEntries(
      Object.entries(Object(value)).map(([key, field]) => [
        key,
        key === name ? put(field, rest, what) : field,
      ]),
    )
  }

  test('on profiles with anything at any place', () => {
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(
        'string',
        'any',
        'final',
        'json',
        1,
        300,
        'a.b',
        'GET',
        '/a/{idPayin}',
        [],
        {},
        ['string'],
        '😀'.repeat(200),
      ),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.constantFrom(...places), anything, (path, what) => {
        const json = put(fullProfile, path, what)
        expect(messageOf(json) === undefined).toBe(validates(json))
      }),
      { numRuns: 1000 },
    )
  })

  test('on the shape of whatever a gateway answers', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const json = {
          profileVersion: 1,
          answers: { 'GET /balances': { status: 200, body: shapeOf(value, []) } },
        }
        expect(readProfile(json)).toEqual(json)
        expect(validates(json)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
