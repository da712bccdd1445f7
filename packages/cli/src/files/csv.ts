import { isObject } from '../input/values.js'
import { type Columns, columnName, columnsOf } from './fields.js'
import type { LineProblem } from './lines.js'
import type { Row } from './table.js'

/** A line as an object that looks like a request, of which nothing has been checked. */
export interface Candidate {
  readonly line: number
  readonly request: unknown
  /** Where a field of the request stands in the file: of a table, its column. */
  readonly placeOf?: (field: string) => string
}

/** The payouts of a table whose first row names the columns. */
export function* candidatesOfCsv(
  rows: Iterable<Row | LineProblem>,
  decimalComma = false,
): Generator<Candidate | LineProblem> {
  let columns: Columns | undefined
  for (const row of rows) {
    if ('reason' in row) yield row
    else if (columns !== undefined) yield* candidateOf(row, columns, decimalComma)
    else {
      const header = columnsOf(row.cells)
      if ('columns' in header) columns = header.columns
      else yield* header.reasons.map((reason) => ({ line: row.line, reason }))
    }
    // What follows means nothing without the names of its columns.
    if (columns === undefined) return
  }
}

function* candidateOf(
  { line, cells }: Row,
  columns: Columns,
  decimalComma: boolean,
): Generator<Candidate | LineProblem> {
  if (cells.length !== columns.length) {
    const reason = `the line has ${cells.length} cells where the first line names ${columns.length} columns; a cell that holds the sign between cells has to stand in quotes.`
    return yield { line, reason }
  }
  const placeOf = (field: string) => columnName(field, columns)
  const request: Record<string, unknown> = {}
  for (const [index, path] of columns.entries()) {
    const cell = cells[index] ?? ''
    const value = decimalComma && path.endsWith('.amount') ? withPoint(cell) : cell
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
  if (Object.keys(request).length > 0) yield { line, request, placeOf }
}

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
