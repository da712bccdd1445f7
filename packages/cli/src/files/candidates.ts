import { unitsOf } from '../input/amounts.js'
import { isObject, jsonOf } from '../input/values.js'
import { columnName, columnsOf } from './fields.js'
import { WrongLine } from './lines.js'

/** A line as an object that looks like a request, of which nothing has been checked. */
export interface Candidate {
  readonly request: Readonly<Record<string, unknown>>
  /** Where a field of the request stands in the file: of a table, its column. */
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

/** The payout of a line that has a request of `payouts.create` as JSON. */
export function requestOf(text: string): Candidate {
  const request = jsonOf(text)
  if (!isObject(request))
    throw new WrongLine('the line is not a request: it has to be one object of JSON, in braces.')
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g)]
  const names = tokens.filter(([, colon]) => colon !== undefined)
  if (names.length > namesIn(request))
    throw new WrongLine('a field stands in it twice, of which JSON keeps the last; leave the wrong one out.')
  if (!tokens.every(([token]) => token.startsWith('"') || isKept(token))) {
    throw new WrongLine(
      'the amount has more digits than a JSON number keeps exactly; write it as a text such as "10.50".',
    )
  }
  return { request, placeOf: (field) => field }
}

/** How many names of fields are left of a line once it has been read. */
function namesIn(request: object): number {
  let names = 0
  // A list and not recursion: a line may be nested too deep for it.
  const all: unknown[] = [request]
  for (const value of all) {
    if (typeof value !== 'object' || value === null) continue
    const inside: unknown[] = Object.values(value)
    if (!Array.isArray(value)) names += inside.length
    all.push(...inside)
  }
  return names
}

/** Whether a number is the same once it has been read: the reader rounds silently. */
function isKept(written: string): boolean {
  const units = unitsOf(written)
  return units !== undefined && units === unitsOf(Number(written))
}
