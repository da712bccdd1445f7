import { type Paint, printable } from '../../../../src/cli/text.js'
import { cases, clean } from '../../rehearse/cases.js'
import type { Result } from '../../rehearse/rehearsal.js'
import { countsOf, sinceStart } from '../../rehearse/report.js'

const WIDTH = 80
const marks = { passed: ['ok', 'green'], failed: ['FAIL', 'red'], skipped: ['skip', 'grey'] } as const
const NAME = Math.max(...[clean, ...cases].map(({ name }) => name.length))

/** One case as rows of the table. */
export function rowsOf({ name, verdict }: Result, paint: Paint): string[] {
  const [mark, colour] = marks[verdict.outcome]
  const head = `${paint(colour, mark.padEnd(4))}  ${name.padEnd(NAME)}  `
  return columns(head, 4 + 2 + NAME + 2, verdict.sentence)
}

/** What happened in a case, for those that failed. */
export function historyLines({ name, cart, history }: Result, paint: Paint): string[] {
  return [
    '',
    paint('bold', cart === undefined ? name : `${name}, cart ${cart}`),
    ...history.flatMap(({ atMs, who, text }) => {
      const head = `${sinceStart(atMs).padStart(8)}  ${who.padEnd(11)}  `
      return columns(head, head.length, text)
    }),
  ]
}

export function summaryOf(results: readonly Result[]): string {
  const { passed, failed, skipped } = countsOf(results)
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} not played` : ''}.`
}

/** The cases that there are. */
export function listLines(): string[] {
  return [clean, ...cases].flatMap(({ name, title }) => {
    const head = `${name.padEnd(NAME)}  `
    return columns(head, head.length, title)
  })
}

/** Text in a column of its own, wrapped between words: a word that is longer than a line stays whole. */
function columns(head: string, indent: number, text: string): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of printable(text).split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines.map((one, index) => `${index === 0 ? head : ' '.repeat(indent)}${one}`.trimEnd())
}
