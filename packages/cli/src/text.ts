import { CommandFailed, exitCodes } from './exit-codes.js'

/** Colours of a terminal; without colours, the text as it is. */
export type Paint = (colour: Colour, text: string) => string

export type Colour = keyof typeof codes

const codes = { bold: 1, red: 31, green: 32, yellow: 33, grey: 90 } as const

export function painter(coloured: boolean): Paint {
  return coloured ? (colour, text) => `\u001b[${codes[colour]}m${text}\u001b[0m` : (_, text) => text
}

/** Control characters, marks without a width or that turn a text around, line separators, and halves of characters. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Text from elsewhere, on one line, as a terminal may print it: what is hidden is written as JSON escapes it. */
export function printable(text: string): string {
  return text.replace(hidden, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

/** JSON on one line that a terminal prints as it is, too. */
export function jsonLine(value: unknown): string {
  return printable(jsonText(value) ?? 'null')
}

/** @throws {CommandFailed} for a response that JSON can be read from and not be written to. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new CommandFailed('the response is nested too deep to be printed.', exitCodes.refused)
  }
}

/** A value for `export NAME=…` in a POSIX shell. */
export function shellQuoted(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}

/** A span as people say it: the two largest units. */
export function spanOf(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  let rest = Math.round(ms / 1000)
  const parts: string[] = []
  for (const [name, secs] of units) {
    const count = Math.floor(rest / secs)
    rest -= count * secs
    if (count > 0) parts.push(`${count} ${name}`)
  }
  return parts.slice(0, 2).join(' ')
}

const units: readonly (readonly [string, number])[] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
]

/** A number with its noun: `1 request`, `2 requests`. */
export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/**
 * A cell that a spreadsheet would take for a formula gets an apostrophe, and so does a part of it that would be a cell
 * of its own for one that is set to another separator.
 */
export function withoutFormula(text: string): string {
  return text.replace(/(^|[,;"])(\s*[=+@\uff1d\uff0b\uff20\uff0d-])/g, "$1'$2")
}
