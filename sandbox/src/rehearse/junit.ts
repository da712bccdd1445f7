import { isFinding } from './judge.js'
import { adviceOf, countsOf, historyTexts } from './report.js'
import type { Result } from './result.js'

/** A rehearsal as JUnit XML, which CI systems show as tests. */
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
export function xml(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff\p{Cs}]/gu, '\uFFFD')
    .replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}
