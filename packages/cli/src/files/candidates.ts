import { isObject } from '../input/values.js'
import { columnName, columnsOf } from './fields.js'
import { WrongLine } from './lines.js'

/** A line as an object that looks like a request, of which nothing has been checked. */
export interface Candidate {
  readonly request: Readonly<Record<string, unknown>>
  /** In which column a field of the request stands. */
  readonly placeOf: (field: string) => string
}

/** What reads the payouts of a table whose first row has these names. */
export function rowReader(names: readonly string[], decimalComma: boolean) {
  const columns = columnsOf(names)
  const placeOf = (field: string) => columnName(field, columns)
  return (cells: readonly string[]): Candidate | undefined => {
    if (cells.length !== columns.length) {
      throw new WrongLine(
        `the line has ${cells.length} cells where the first line names ${columns.length} columns; a cell that holds the sign between cells has to stand in quotes.`,
      )
    }
    const request: Record<string, unknown> = {}
    for (const [index, path] of columns.entries()) {
      const cell = cells[index] ?? ''
      const isAmount = decimalComma && path.endsWith('.amount')
      // 1.234 is a thousand or one, whoever wrote it.
      if (isAmount && cell !== '' && !/^-?\d+(?:,\d+)?$/.test(cell))
        throw new WrongLine(`${placeOf(path)} must be written like 10,50, with no point and no blank.`)
      // An empty cell is a field that is left out.
      if (cell !== '') put(request, path.split('.'), isAmount ? cell.replace(',', '.') : cell)
    }
    return Object.keys(request).length > 0 ? { request, placeOf } : undefined
  }
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
