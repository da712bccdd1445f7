import { type Paint, printable, wrapped } from '../../../../src/cli/text.js'
import { cases, clean } from '../../rehearse/cases.js'
import type { Outcome } from '../../rehearse/judge.js'
import { adviceOf, countsOf, sinceStart } from '../../rehearse/report.js'
import type { Result } from '../../rehearse/result.js'

const WIDTH = 80
const marks: Readonly<Record<Outcome, readonly [string, 'green' | 'red' | 'yellow' | 'grey']>> = {
  right: ['right', 'green'],
  wrong: ['WRONG', 'red'],
  'not yet': ['not yet', 'yellow'],
  'could not tell': ['?', 'yellow'],
  'not played': ['skip', 'grey'],
}
const MARK = Math.max(...Object.values(marks).map(([word]) => word.length))
const NAME = Math.max(...[clean, ...cases].map(({ name }) => name.length))

/** One case as rows of the table. */
export function rowsOf({ name, verdict }: Result, paint: Paint): string[] {
  const [mark, colour] = marks[verdict.outcome]
  const text = `${mark.padEnd(MARK)}  ${name.padEnd(NAME)}  ${printable(verdict.sentence)}`
  const [first = '', ...others] = wrapped(text, WIDTH, MARK + 2 + NAME + 2)
  return [paint(colour, first.slice(0, MARK)) + first.slice(MARK), ...others]
}

/** What happened in a case that shows something, and what to do about it. */
export function historyLines({ name, cart, history, verdict }: Result, paint: Paint): string[] {
  return [
    '',
    paint('bold', cart === undefined ? name : `${name}, cart ${cart}`),
    ...history.flatMap(({ atMs, who, text }) => {
      const head = `${sinceStart(atMs).padStart(8)}  ${who.padEnd(11)}  `
      return wrapped(head + printable(text), WIDTH, head.length)
    }),
    ...adviceOf(verdict).flatMap((line) => {
      return line.startsWith('  ') ? [`    ${line.slice(2)}`] : wrapped(`  ${line}`, WIDTH, 2)
    }),
  ]
}

/** Such as "24 right, 1 wrong, 2 not played." */
export function summaryOf(results: readonly Result[]): string {
  const counts = Object.entries(countsOf(results)).filter(([what, count]) => count > 0 || what === 'wrong')
  return `${counts.map(([what, count]) => `${count} ${what}`).join(', ')}.`
}

/** The cases that there are. */
export function listLines(): string[] {
  return [clean, ...cases].flatMap(({ name, title }) => {
    return wrapped(`${name.padEnd(NAME)}  ${title}`, WIDTH, NAME + 2)
  })
}
