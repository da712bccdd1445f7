import { stripVTControlCharacters, styleText } from 'node:util'
import { Help } from 'commander'
import { CommandFailed, exitCodes } from './exit-codes.js'

/** Whether a stream is a terminal that takes colours, by NO_COLOR and TERM. */
export function hasColours(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && stream.hasColors()
}

/** A text in a colour, where the stream takes one. */
export function coloured(
  colour: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  return hasColours(stream) ? styleText(colour, text, { validateStream: false }) : text
}

const layout = Object.assign(new Help(), { minWidthToWrap: 1 })
/** Where a text goes on when a long word of it, such as a fingerprint, needs room. */
const narrow = 6

/** A text of any origin behind a head of ours, which may have colours in it. Its lines begin where the head ends. */
export function paragraph(text: string, head: string, columns: number): string {
  const shown = printable(text)
  const { length: indent } = stripVTControlCharacters(head)
  const isTooLong = shown.split(' ').some(({ length }) => length > columns - indent)
  const left = isTooLong ? Math.min(indent, narrow) : indent
  const lines = layout.boxWrap(shown, columns - left).split('\n')
  const first = left < indent ? '' : lines.shift()
  return [`${head}${first}`.trimEnd(), ...lines.map((line) => ' '.repeat(left) + line)].join('\n')
}

/** What every question says that failed; only of a payment that is not found it is worth a line. */
const obvious =
  /; (?:this says nothing about whether the \w+ exists or was paid|no payment was touched), and it is safe to ask again/
/** Where a clause ends; what a gateway has said stays whole. */
const clause = /(\("[^"]*"\))|; |(?<=[.?]) (?=[A-Z"])/g

/** What happened, and what to do: the clauses of a sentence as two paragraphs, the second of which may be empty. */
export function inTwo(sentence: string): readonly [what: string, toDo: string] {
  const short = sentence.includes('not found (404)') ? sentence : sentence.replace(obvious, '')
  const clauses = short.replace(clause, (_, said?: string) => said ?? '\n').split('\n')
  const [what = '', ...toDo] = clauses.map((one) => (/[.?]$/.test(one) ? one : `${one}.`))
  return [what, toDo.map((one) => one.charAt(0).toUpperCase() + one.slice(1)).join(' ')]
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
 * @throws for a response that JSON can be read from and not be written to ({@link CommandFailed}).
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
