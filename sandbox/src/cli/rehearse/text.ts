import { type Paint, printable, wrapped } from '../../../../src/cli/text.js'
import { cases, clean } from '../../rehearse/cases.js'
import type { Result } from '../../rehearse/rehearsal.js'
import { countsOf, sinceStart } from '../../rehearse/report.js'

const WIDTH = 80
const marks = { passed: ['ok', 'green'], failed: ['FAIL', 'red'], skipped: ['skip', 'grey'] } as const
/** It was played, and nobody can say whether the application was right. */
const untold = ['?', 'yellow'] as const
const NAME = Math.max(...[clean, ...cases].map(({ name }) => name.length))

/** One case as rows of the table. */
export function rowsOf({ cart, name, verdict }: Result, paint: Paint): string[] {
  const [mark, colour] = cart !== undefined && verdict.outcome === 'skipped' ? untold : marks[verdict.outcome]
  const text = `${mark.padEnd(4)}  ${name.padEnd(NAME)}  ${printable(verdict.sentence)}`
  const [first = '', ...others] = wrapped(text, WIDTH, 4 + 2 + NAME + 2)
  return [paint(colour, first.slice(0, 4)) + first.slice(4), ...others]
}

/** What happened in a case, for those that failed. */
export function historyLines({ name, cart, history, verdict }: Result, paint: Paint): string[] {
  return [
    '',
    paint('bold', cart === undefined ? name : `${name}, cart ${cart}`),
    ...history.flatMap(({ atMs, who, text }) => {
      const head = `${sinceStart(atMs).padStart(8)}  ${who.padEnd(11)}  `
      return wrapped(head + printable(text), WIDTH, head.length)
    }),
    ...(verdict.advice === undefined ? [] : wrapped(`  Where to look: ${verdict.advice}`, WIDTH, 2)),
  ]
}

export function summaryOf(results: readonly Result[]): string {
  const { passed, failed, skipped } = countsOf(results)
  const notPlayed = results.filter(({ cart }) => cart === undefined).length
  const others = [
    ...(skipped > notPlayed ? [`${skipped - notPlayed} could not tell`] : []),
    ...(notPlayed > 0 ? [`${notPlayed} not played`] : []),
  ]
  return `${[`${passed} passed`, `${failed} failed`, ...others].join(', ')}.`
}

/** The cases that there are. */
export function listLines(): string[] {
  return [clean, ...cases].flatMap(({ name, title }) => {
    return wrapped(`${name.padEnd(NAME)}  ${title}`, WIDTH, NAME + 2)
  })
}
