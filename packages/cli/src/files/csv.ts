import { CsvError, parse } from 'csv-parse/sync'
import { isObject } from '../input/values.js'
import { type Columns, columnName, columnsOf } from './columns.js'
import type { Line, LineProblem } from './lines.js'

/** A line as an object that looks like a request, of which nothing has been checked. */
export interface Candidate {
  readonly line: number
  readonly request: unknown
  /** Where a field of the request stands in the file: of a table, its column. */
  readonly placeOf?: (field: string) => string
}

/** What may stand between the cells: Excel writes semicolons where a comma is the decimal sign. */
const delimiters = [',', ';', '\t'] as const

/**
 * The payouts of a CSV file whose first line names the columns. A record is one line: a line break in quotes is
 * refused, so that one quote too many spoils its own line and no other.
 */
export function* candidatesOfCsv(
  lines: Iterable<Line | LineProblem>,
  decimalComma = false,
): Generator<Candidate | LineProblem> {
  let columns: Columns | undefined
  let delimiter: string | undefined
  for (const line of lines) {
    if ('reason' in line) {
      yield line
      // What follows means nothing without the names of its columns.
      if (columns === undefined) return
      continue
    }
    delimiter ??= delimiterOf(line.text)
    const cells = cellsOf(line.text, delimiter)
    if (columns !== undefined) {
      yield* candidateOf(line.number, cells, columns, decimalComma)
      continue
    }
    const header = typeof cells === 'string' ? { reasons: [cells] } : columnsOf(cells)
    if ('reasons' in header) {
      for (const reason of header.reasons) yield { line: line.number, reason }
      return
    }
    columns = header.columns
  }
}

function* candidateOf(
  line: number,
  cells: readonly string[] | string,
  columns: Columns,
  decimalComma: boolean,
): Generator<Candidate | LineProblem> {
  if (typeof cells === 'string') yield { line, reason: cells }
  else if (cells.length !== columns.length) {
    const reason = `the line has ${cells.length} cells where the first line names ${columns.length} columns; a cell that holds the sign between cells has to stand in quotes.`
    yield { line, reason }
  } else if (cells.some((cell) => cell !== '')) {
    const placeOf = (field: string) => columnName(field, columns)
    const request: Record<string, unknown> = {}
    for (const [index, path] of columns.entries()) {
      const cell = cells[index] ?? ''
      const value = decimalComma && path === amountField ? withPoint(cell) : cell
      // 1.234 is a thousand or one, whoever wrote it.
      if (value === undefined) {
        return yield {
          line,
          reason: `${placeOf(path)} must be written like 10,50, with no point and no blank.`,
        }
      }
      // An empty cell is a field that is left out.
      if (value !== '') put(request, path.split('.'), value)
    }
    yield { line, request, placeOf }
  }
}

/** The sign between the cells: the one that the header has most of. */
export function delimiterOf(header: string): string {
  const counts = delimiters.map((one) => header.split(one).length)
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ','
}

/** The cells of a line without the blanks around them, or what is wrong with it. */
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

const amountField = 'paymentRequested.money.amount'

function withPoint(amount: string): string | undefined {
  return amount === '' || /^-?\d+(?:,\d+)?$/.test(amount) ? amount.replace(',', '.') : undefined
}

function put(into: Record<string, unknown>, [name = '', ...inside]: readonly string[], value: string): void {
  if (inside.length === 0) into[name] = value
  else {
    const next = into[name]
    const object = isObject(next) ? next : {}
    into[name] = object
    put(object, inside, value)
  }
}
