import { describe, expect, test } from 'vitest'
import { historyLines, listLines, rowsOf, summaryOf } from '../../../sandbox/src/cli/rehearse/text.js'
import { caseNamed } from '../../../sandbox/src/rehearse/cases.js'
import { folded } from '../../../sandbox/src/rehearse/history.js'
import { junitOf } from '../../../sandbox/src/rehearse/junit.js'
import type { Result } from '../../../sandbox/src/rehearse/rehearsal.js'
import type { Report } from '../../../sandbox/src/rehearse/report.js'
import { vitestFileOf } from '../../../sandbox/src/rehearse/test-files.js'

const plain = (_colour: string, text: string) => text

const result = (name: string, outcome: Result['verdict']['outcome'], sentence: string): Result => ({
  name,
  title: caseNamed(name)?.title ?? '',
  verdict: { outcome, sentence },
  cart: outcome === 'not played' ? undefined : 7,
  acts: [],
  payments: [],
  history: [{ atMs: 1500, who: 'application', text: 'POST /payins/<a>&"b\u0000\ud800\u202e: 200' }],
  tookMs: 1234,
})

const report: Report = {
  args: ['--paid', 'say `$(1)` \\ "x"'],
  results: [
    result('clean', 'right', 'one payment'),
    result('answer-lost', 'wrong', 'two payments: the application made a new id after the lost answer'),
    result('killed', 'not played', 'not played: <nobody> said how'),
  ],
}

describe('JUnit XML', () => {
  const xml = junitOf(report)

  test('counts tests, failures and what was not played', () => {
    expect(xml).toContain('tests="3" failures="1" errors="0" skipped="1" time="3.702"')
    expect(xml.match(/<testcase /g)).toHaveLength(3)
    expect(xml).toContain(
      '<failure message="two payments: the application made a new id after the lost answer">',
    )
  })

  test('escapes what XML gives a meaning, and replaces what it can not hold', () => {
    expect(xml).toContain('/payins/&lt;a&gt;&amp;&quot;b\uFFFD\uFFFD')
    expect(xml).toContain('not played: &lt;nobody&gt; said how')
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\p{Cs}]/u)
  })
})

test('the file for vitest holds its arguments as they were, whatever characters they have', () => {
  const file = vitestFileOf(report)
  expect(file).toContain(JSON.stringify('say `$(1)` \\ "x"'))
  expect(file).toContain("'rehearse', ...args, '--json'")
})

describe('the table', () => {
  test('breaks no word, and no line is wider than 80 columns', () => {
    const sentence = report.results[1]?.verdict.sentence ?? ''
    const rows = report.results.flatMap((one) => rowsOf(one, plain))
    expect(rows.every((row) => row.length <= 80)).toBe(true)
    const wrapped = rowsOf(result('answer-lost', 'wrong', sentence), plain)
    expect(wrapped.length).toBeGreaterThan(1)
    expect(wrapped.join(' ').replaceAll(/\s+/g, ' ')).toBe(`WRONG answer-lost ${sentence}`)
  })

  test('shows no control character of an application', () => {
    const lines = report.results.flatMap((one) => historyLines(one, plain))
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u202e]/)
  })

  test('counts at the end, and lists every case', () => {
    expect(summaryOf(report.results)).toBe('1 right, 1 wrong, 1 not played.')
    expect(listLines().every((line) => line.length <= 80)).toBe(true)
  })
})

test('lines of a history that say the same become one', () => {
  const line = { atMs: 1, who: 'gateway', text: 'callback' } as const
  expect(folded([line, { ...line, atMs: 2 }, { ...line, text: 'other' }])).toEqual([
    { ...line, text: 'callback (2 times)' },
    { ...line, text: 'other' },
  ])
})
