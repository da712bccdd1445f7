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
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(hidden, (character) => character.split('').map(escaped).join(''))
}

/**
 * JSON on one line that a terminal prints as it is, too.
 *
 * @throws {CommandFailed} for a response that JSON can be read from and not be written to.
 */
export function jsonLine(value: unknown): string {
  try {
    return printable(JSON.stringify(value) ?? 'null')
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
  const secs = Math.round(ms / 1000)
  const parts = units.map(([name, size, most]) => [Math.floor(secs / size) % most, name] as const)
  const shown = parts.filter(([count]) => count > 0).slice(0, 2)
  return shown.map(([count, name]) => `${count} ${name}`).join(' ')
}

/** Names, seconds, and how many make one of the unit before. */
const units = [
  ['d', 86_400, Number.POSITIVE_INFINITY],
  ['h', 3600, 24],
  ['min', 60, 60],
  ['s', 1, 60],
] as const

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
