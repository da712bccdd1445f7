import { visible } from '../common/text.js'

const codes = { bold: 1, red: 31, green: 32, yellow: 33, grey: 90 } as const

export type Paint = (colour: keyof typeof codes, text: string) => string

export function painter(coloured: boolean): Paint {
  return coloured ? (colour, text) => `\u001b[${codes[colour]}m${text}\u001b[0m` : (_, text) => text
}

/** https://no-color.org: any value but the empty one; and a terminal that says it knows no colours. */
export function wantsColour(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const { NO_COLOR = '', TERM } = env
  return isTerminal && NO_COLOR === '' && TERM !== 'dumb'
}

export { visible as printable }

/** JSON on one line that a terminal prints as it is, too. */
export function jsonLine(value: unknown): string {
  return visible(JSON.stringify(value) ?? 'null')
}

/** As wide as a terminal, within what can be read. */
export function readable(columns: number): number {
  return Math.max(60, Math.min(100, columns))
}

/** @param indent of all lines but the first. */
export function wrapped(text: string, columns: number, indent: number): string[] {
  const lines: string[] = []
  const [first = '', ...words] = text.split(' ')
  let line = first
  for (const word of words) {
    if (line.trim() !== '' && line.length + 1 + word.length > columns) {
      lines.push(line)
      line = ' '.repeat(indent) + word
    } else line = `${line} ${word}`
  }
  return [...lines, line]
}

export function shellQuoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}
