import { describe, expect, test } from 'vitest'
import { historyLines, junitOf, listLines, rowsOf, summaryOf } from '../../src/cli/rehearse/reports.js'
import { cases } from '../../src/rehearse/cases.js'
import { folded, shortNames } from '../../src/rehearse/history.js'
import { type Result, roundsText } from '../../src/rehearse/result.js'
import { rules } from '../../src/rehearse/rules.js'

const paint = (_colour: string, text: string) => text
const paper = { columns: 80, paint }

const result = (name: string, outcome: Result['verdict']['outcome'], sentence: string): Result => ({
  name,
  title: cases.find((one) => one.name === name)?.title ?? '',
  verdict: { outcome, sentence },
  order: outcome === 'not played' ? undefined : 7,
  actions: [],
  payments: [],
  history: [{ atMs: 1500, who: 'application', text: 'POST /payins/<a>&"b\u0000\ud800\u202e: 200' }],
  tookMs: 1234,
})

const results = [
  result('clean', 'right', 'one payment'),
  result('answer-lost', 'wrong', 'two payments: the application made a new id after the lost response'),
  result('killed', 'not played', 'not played: <nobody> said how'),
]

describe('JUnit XML', () => {
  const xml = junitOf(results)

  test('counts tests, failures and what was not played', () => {
    expect(xml).toContain('tests="3" failures="1" errors="0" skipped="1" time="3.702"')
    expect(xml.match(/<testcase /g)).toHaveLength(3)
    expect(xml).toContain(
      '<failure message="two payments: the application made a new id after the lost response">',
    )
  })

  test('escapes what XML gives a meaning, and replaces what it can not hold', () => {
    expect(xml).toContain('/payins/&#60;a&#62;&#38;&#34;b\uFFFD\uFFFD')
    expect(xml).toContain('not played: &#60;nobody&#62; said how')
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\p{Cs}]/u)
  })
})

describe('the table', () => {
  test.each([
    [40, 60],
    [60, 60],
    [80, 80],
    [200, 100],
  ])('breaks no word, and in a terminal of %i columns no line is wider than %i', (columns, most) => {
    const advice = Object.values(rules).map((rule) => {
      return {
        ...result('killed', 'wrong', ''),
        verdict: { outcome: 'wrong', sentence: '', ...rule },
      } as const
    })
    const lines = [
      ...listLines({ columns }),
      ...results.flatMap((one) => rowsOf(one, { columns, paint })),
      ...[...results, ...advice].flatMap((one) => historyLines(one, { columns, paint })),
    ]
    expect(lines.filter((line) => line.length > most)).toEqual([])
    const sentence = results[1]?.verdict.sentence ?? ''
    const wrapped = rowsOf(result('answer-lost', 'wrong', sentence), { columns, paint })
    expect(wrapped.length).toBeGreaterThan(1)
    expect(wrapped.join(' ').replaceAll(/\s+/g, ' ')).toBe(`WRONG answer-lost ${sentence}`)
  })

  test('shows no control character of an application', () => {
    const lines = results.flatMap((one) => historyLines(one, paper))
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u202e]/)
  })

  test('prints a fix once', () => {
    const verdict = {
      outcome: 'wrong',
      sentence: 'two payments',
      rule: 'One id.',
      fix: ['store it'],
    } as const
    const broken = { ...result('killed', 'wrong', ''), verdict }
    expect(historyLines(broken, paper)).toContain('    store it')
    expect(historyLines(broken, paper, true).slice(-1)).toEqual(['  Fix: as above.'])
  })

  test('counts at the end, and lists every case', () => {
    expect(summaryOf(results)).toBe('1 right, 1 wrong, 1 not played.')
    expect(listLines(paper).length).toBeGreaterThanOrEqual(cases.length + 1)
  })
})

test('rounds that were not right are told, and those that were not played', () => {
  const one = cases.find(({ name }) => name === 'killed-at-any-moment')
  if (one === undefined) throw new Error('no case')
  const untold = { outcome: 'could not tell', sentence: 'could not tell: nothing' } as const
  expect(roundsText(one, [{ outcome: 'right', sentence: 'one payment' }, untold, untold])).toBe(
    'in 1 of 12 rounds; could not tell: nothing, in 2; 9 not played, because the time of the case was over',
  )
})

test('long ids are cut so that they differ', () => {
  const ids = ['merchant-1764000001-1', 'merchant-1764000001-2', 'short-1']
  expect(ids.map(shortNames(ids))).toEqual(['merchant…01-1', 'merchant…01-2', 'short-1'])
  expect(['merchant-1764000001-1'].map(shortNames(ids.slice(0, 1)))).toEqual(['merchant…'])
})

test('lines of a history that say the same become one', () => {
  const line = { atMs: 1, who: 'gateway', text: 'callback' } as const
  expect(folded([line, { ...line, atMs: 2 }, { ...line, text: 'other' }])).toEqual([
    { ...line, text: 'callback (2 times)' },
    { ...line, text: 'other' },
  ])
})
