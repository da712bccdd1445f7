import type { Result } from './rehearsal.js'
import { type Counts, countsOf, type Report, sinceStart } from './report.js'

/** A rehearsal as JUnit XML, which CI systems show as tests. */
export function junitOf({ results }: Report): string {
  const counts: Counts = countsOf(results)
  const seconds = secs(results.reduce((sum, { tookMs }) => sum + tookMs, 0))
  const totals = `tests="${results.length}" failures="${counts.failed}" errors="0" skipped="${counts.skipped}" time="${seconds}"`
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
  if (verdict.outcome === 'passed') return [head.replace(/>$/, '/>')]
  if (verdict.outcome === 'skipped') {
    return [head, `      <skipped message="${xml(verdict.sentence)}"/>`, '    </testcase>']
  }
  const help = verdict.advice === undefined ? [] : [`Where to look: ${verdict.advice}`]
  const lines = history.map(({ atMs, who, text }) => `${sinceStart(atMs)} ${who}: ${text}`)
  const failure = `      <failure message="${xml(verdict.sentence)}">${xml([...help, ...lines].join('\n'))}</failure>`
  return [head, failure, '    </testcase>']
}

function secs(ms: number): string {
  return (ms / 1000).toFixed(3)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Text for XML 1.0: what that has no way to write becomes a replacement character. */
export function xml(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu, '\uFFFD')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}
