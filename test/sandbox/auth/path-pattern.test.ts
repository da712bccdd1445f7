import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compilePattern, OutOfSteps } from '../../../sandbox/src/gateway/auth/path-pattern.js'
import { MAX_LENGTH, MAX_SIZE, PatternProblem } from '../../../sandbox/src/gateway/auth/pattern-syntax.js'

const PLENTY = 100_000_000

function matches(pattern: string, path: string): boolean {
  return compilePattern(pattern).matches(path, { left: PLENTY })
}

/** How many steps it took. */
function stepsOf(pattern: string, path: string): number {
  const steps = { left: PLENTY }
  compilePattern(pattern).matches(path, steps)
  return PLENTY - steps.left
}

const letters = ['a', 'b', 'c', '/', '-', '0', '9', '_', ' ', '%', '!', 'é', '\u2028']
const escapes = ['\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\.', '\\/', '\\-', '\\*', '\\\\', '\\{', '\\]']
const member = fc.constantFrom(
  'a',
  'b',
  'a-c',
  '0-9',
  '!-/',
  '\\d',
  '\\w',
  '\\s',
  '\\S',
  '\\-',
  '\\]',
  '.',
  '^a',
  '*',
)
const characterClass = fc
  .tuple(fc.constantFrom('', '^'), fc.array(member, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '-'))
  .map(([negated, members, minus]) => `[${negated}${members.join('')}${minus}]`)
const times = fc.constantFrom(
  '*',
  '+',
  '?',
  '{0}',
  '{1}',
  '{2}',
  '{0,1}',
  '{1,3}',
  '{2,}',
  '*?',
  '+?',
  '??',
  '{1,2}?',
)

/** Patterns of the subset, nested and with everything that it has. */
const pattern = fc.letrec<{ atom: string; sequence: string; pattern: string }>((tie) => ({
  atom: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...letters) },
    { weight: 1, arbitrary: fc.constantFrom('.', '.*', '^', '$', ...escapes) },
    { weight: 1, arbitrary: characterClass },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom('(', '(?:'),
          tie('pattern'),
          fc.constantFrom(')'),
          fc.option(times, { nil: '' }),
        )
        .map((parts) => parts.join('')),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('a', 'b', '.', '\\d', '[^a]'), times)
        .map((parts) => parts.join('')),
    },
  ),
  sequence: fc
    .array(tie('atom'), { maxLength: 4, depthIdentifier: 'sequence' })
    .map((parts) => parts.join('')),
  pattern: fc
    .array(tie('sequence'), { minLength: 1, maxLength: 3, depthIdentifier: 'pattern' })
    .map((branches) => branches.join('|')),
})).pattern

const path = fc
  .array(fc.constantFrom(...letters, '.', '*', '\\', '{', ']', '\n', '\u{1f600}'), { maxLength: 8 })
  .map((parts) => parts.join(''))

describe('a pattern of an operation', () => {
  test('means what it means in JavaScript', () => {
    let matched = 0
    fc.assert(
      fc.property(pattern, path, (text, sent) => {
        const expected = new RegExp(`^(?:${text})$`).test(sent)
        if (expected) matched += 1
        expect(matches(text, sent)).toBe(expected)
      }),
      { numRuns: 3000 },
    )
    expect(matched).toBeGreaterThan(100)
  })

  test.each([
    ['(a+)+$', 'a'.repeat(38)],
    ['/(a+)+$', `/${'a'.repeat(5000)}!`],
    ['/(a|a)*b', `/${'a'.repeat(5000)}`],
    ['/(a|aa)+$', `/${'a'.repeat(5000)}!`],
    ['/(.*)*(.*)*(.*)*x', `/${'a'.repeat(5000)}`],
    ['/(a?){40}a{40}', `/${'a'.repeat(40)}`],
    ['/((a*)*)*b', `/${'a'.repeat(5000)}`],
    ['/(x+x+)+y', `/${'x'.repeat(5000)}`],
  ])('takes no more steps than pattern times path: %s', (text, sent) => {
    expect(stepsOf(text, sent)).toBeLessThanOrEqual(compilePattern(text).size * (sent.length + 1))
  })

  test('gives up when it may take no more steps', () => {
    const hostile = compilePattern('/(.?){99}a{99}')
    expect(() => hostile.matches(`/${'a'.repeat(5000)}`, { left: 1000 })).toThrow(OutOfSteps)
  })

  test.each([
    ['a backreference', '/(a)\\1'],
    ['a named backreference', '/(?<x>a)\\k<x>'],
    ['a look ahead', '/a(?=b)'],
    ['a negative look ahead', '/a(?!b)'],
    ['a look behind', '/(?<=a)b'],
    ['a flag', '/(?i)a'],
    ['a border of words', '/a\\b'],
    ['an escape that is none', '/\\x41'],
    ['an escape of nothing', '/a\\'],
    ['a group without an end', '/(a'],
    ['an end without a group', '/a)'],
    ['a class without an end', '/[a'],
    ['an empty class', '/[]'],
    ['a class within a class', '/[[a]]'],
    ['a range from more to less', '/[b-a]'],
    ['a range from a class', '/[\\d-z]'],
    ['a repetition of nothing', '/(*a)'],
    ['a repetition of the start', '/^*a'],
    ['two repetitions', '/a**'],
    ['a repetition from more to less', '/a{3,2}'],
    ['a brace that begins nothing', '/payins/{idPayin}'],
    ['a brace that ends nothing', '/a}'],
    ['a repetition without its least', '/a{,2}'],
    ['too many characters', `/${'a'.repeat(MAX_LENGTH)}`],
    ['too many repetitions', `/a{${MAX_SIZE + 1}}`],
    ['repetitions of repetitions', '/((((a{99}){99}){99}){99}){99}'],
    ['repetitions of what has no end', '/(((a*){999}){999})'],
    ['groups within groups', `/${'('.repeat(60)}a${')'.repeat(60)}`],
  ])('is refused when it has %s', (_what, text) => {
    expect(() => compilePattern(text)).toThrow(PatternProblem)
  })

  test('of any text at all is compiled within its bounds or refused', () => {
    const anything = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'a(|)[]{}0123456789,*+?.^$\\-'), maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
    )
    fc.assert(
      fc.property(anything, (text) => {
        try {
          expect(compilePattern(text).size).toBeLessThanOrEqual(MAX_SIZE + 1)
        } catch (error) {
          expect(error).toBeInstanceOf(PatternProblem)
          return
        }
        // What is taken is a pattern for JavaScript too.
        expect(() => new RegExp(text)).not.toThrow()
      }),
      { numRuns: 500 },
    )
  })
})
