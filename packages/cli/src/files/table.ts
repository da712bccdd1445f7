import { CsvError, parse } from 'csv-parse/sync'
import type { Line, LineProblem } from './lines.js'

/** A row of a table: the cells of one line, without the blanks around them. */
export interface Row {
  readonly line: number
  readonly cells: readonly string[]
}

/** What may stand between the cells: Excel writes semicolons where a comma is the decimal sign. */
const delimiters = [',', ';', '\t'] as const

/**
 * The rows of a CSV file, of which the first names the columns. A row is one line: a line break in quotes is refused, so
 * that one quote too many spoils its own line and no other.
 */
export function* rowsOf(lines: Iterable<Line | LineProblem>): Generator<Row | LineProblem> {
  let delimiter: string | undefined
  for (const line of lines) {
    if ('reason' in line) {
      yield line
      continue
    }
    delimiter ??= delimiterOf(line.text)
    const cells = cellsOf(line.text, delimiter)
    yield typeof cells === 'string' ? { line: line.number, reason: cells } : { line: line.number, cells }
  }
}

/** The sign between the cells: the one that the header has most of. */
export function delimiterOf(header: string): string {
  const counts = delimiters.map((one) => header.split(one).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

/** The cells of a line, or what is wrong with it. */
export function cellsOf(text: string, delimiter: string): string[] | string {
  // Nearly all lines, and 40 times as fast.
  if (!text.includes('"')) return text.split(delimiter).map((cell) => cell.trim())
  try {
    const [cells = []] = parse(text, { delimiter, trim: true, columns: false })
    return cells.map((cell) => cell.trim())
  } catch (error) {
    // Its own sentences repeat what stands in the cell.
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is opened and not closed on the same line.'
    return 'a quote stands in the middle of a cell; write it twice, and the whole cell in quotes.'
  }
}
