import { cases, clean } from '../../rehearse/cases.js'
import type { HistoryLine } from '../../rehearse/history.js'
import { isFinding, type Outcome, type Verdict } from '../../rehearse/judge.js'
import type { Result } from '../../rehearse/result.js'
import type { Io } from '../io.js'
import { printable, readable, wrapped } from '../text.js'

type Paper = Pick<Io, 'columns' | 'paint'>

const marks: Readonly<Record<Outcome, readonly [string, 'green' | 'red' | 'yellow' | 'grey']>> = {
  right: ['right', 'green'],
  wrong: ['WRONG', 'red'],
  'not yet': ['not yet', 'yellow'],
  'could not tell': ['?', 'yellow'],
  'not played': ['skip', 'grey'],
}
const MARK = Math.max(...Object.values(marks).map(([word]) => word.length))
const NAME = Math.max(...[clean, ...cases].map(({ name }) => name.length))

export function rowsOf({ name, verdict }: Result, { columns, paint }: Paper): string[] {
  const [mark, colour] = marks[verdict.outcome]
  const text = `${mark.padEnd(MARK)}  ${name.padEnd(NAME)}  ${printable(verdict.sentence)}`
  const [first = '', ...others] = wrapped(text, readable(columns), MARK + 2 + NAME + 2)
  return [paint(colour, first.slice(0, MARK)) + first.slice(MARK), ...others]
}

/** @param isKnown whether its fix was printed before, which is then not repeated */
export function historyLines(
  { name, order, history, verdict }: Result,
  { columns, paint }: Paper,
  isKnown = false,
): string[] {
  const width = readable(columns)
  return [
    '',
    paint('bold', order === undefined ? name : `${name}, order ${order}`),
    ...history.flatMap(({ atMs, who, text }) => {
      const head = `${sinceStart(atMs).padStart(8)}  ${who.padEnd(11)}  `
      return wrapped(head + printable(text), width, head.length)
    }),
    ...adviceOf(verdict, isKnown).flatMap((line) => {
      // Pseudocode goes on further in than it began, and a comment beside it does not.
      const code = line.startsWith('  ') ? Math.min(line.search(/\S/), 8) + 4 : 0
      return wrapped(`  ${line}`, width, 2 + code)
    }),
  ]
}

export function summaryOf(results: readonly Result[]): string {
  const counts = Object.entries(countsOf(results)).filter(([what, count]) => count > 0 || what === 'wrong')
  return `${counts.map(([what, count]) => `${count} ${what}`).join(', ')}.`
}

export function listLines({ columns }: Pick<Io, 'columns'>): string[] {
  return [clean, ...cases].flatMap(({ name, title }) => {
    return wrapped(`${name.padEnd(NAME)}  ${title}`, readable(columns), NAME + 2)
  })
}

export function junitOf(results: readonly Result[]): string {
  const counts = countsOf(results)
  const seconds = secs(results.reduce((sum, { tookMs }) => sum + tookMs, 0))
  const totals = `tests="${results.length}" failures="${counts.wrong + counts['not yet']}" errors="0" skipped="${counts['could not tell'] + counts['not played']}" time="${seconds}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `  <testsuite name="merchant-gateway-sandbox rehearse" ${totals}>`,
    ...results.flatMap(testcase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testcase({ name, title, verdict, history, tookMs }: Result): string[] {
  const head = `    <testcase classname="rehearse" name="${xml(`${name}: ${title}`)}" time="${secs(tookMs)}">`
  if (verdict.outcome === 'right') return [head.replace(/>$/, '/>')]
  if (!isFinding(verdict)) {
    return [head, `      <skipped message="${xml(verdict.sentence)}"/>`, '    </testcase>']
  }
  const text = xml([...adviceOf(verdict), ...historyTexts(history)].join('\n'))
  return [head, `      <failure message="${xml(verdict.sentence)}">${text}</failure>`, '    </testcase>']
}

function secs(ms: number): string {
  return (ms / 1000).toFixed(3)
}

/** Text for XML 1.0: what that has no way to write becomes a replacement character. */
function xml(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu, '\uFFFD')
    .replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}

function countsOf(results: readonly Result[]): Record<Outcome, number> {
  const counts = { right: 0, wrong: 0, 'not yet': 0, 'could not tell': 0, 'not played': 0 }
  for (const { verdict } of results) counts[verdict.outcome] += 1
  return counts
}

export function isGood(results: readonly Result[]): boolean {
  return results.every(({ verdict }) => !isFinding(verdict))
}

export function adviceOf({ rule, fix = [], hint }: Verdict, isKnown = false): string[] {
  if (rule === undefined) return []
  const steps = isKnown ? ['Fix: as above.'] : ['Fix:', ...fix.map((line) => `  ${line}`)]
  return [`Broken: ${rule}`, ...(hint === undefined ? [] : [hint]), ...steps]
}

export function historyTexts(history: readonly HistoryLine[]): string[] {
  return history.map(({ atMs, who, text }) => `${sinceStart(atMs)} ${who}: ${text}`)
}

function sinceStart(atMs: number): string {
  return `+${(atMs / 1000).toFixed(1)} s`
}
