import { isNameOf, plain } from './nearest.js'
import { isObject } from './own.js'
import { anything, didYouMean, is, type Row, read, type Table, type Words } from './reader.js'
import { argument } from './wrong-input.js'

export type Fields<O> = { readonly [Name in Exclude<keyof O, 'extra'>]: Row<unknown> }

/** An object inside another one, with the table of its own fields. */
interface Level extends Row<Record<string, unknown> | undefined> {
  readonly rows: Table
}

export function level(expected: string, fields: Table): Level {
  const object = is<object>(expected, isObject)
  const rows = withExtra(fields)
  return {
    expected,
    rows,
    read: (value, name, words) => {
      const inside = object.read(value, name, words)
      return inside && requestFields(inside, rows, words, `${name}.`)
    },
  }
}

/**
 * One object of a request as the wire has it: the fields that this version knows, and those that its
 * `extra` adds, since the gateway may take more than this version knows (specification, section 9).
 *
 * @throws what `words` makes, for every other name, wherever it may have come from.
 */
export function requestFields(value: unknown, rows: Table, words: Words, path = ''): Record<string, unknown> {
  const fields: Record<string, unknown> = read(value, rows, words, path)
  const { extra } = fields
  if (extra === undefined) return fields
  // What is undefined is not on the wire.
  fields.extra = undefined
  return Object.assign(fields, extraFields(extra, rows, words, path))
}

export function withExtra(rows: Table): Table {
  return { ...rows, extra: anything() }
}

/** A field in a place that says "I know what I do" is still not the one that is beside it. */
function extraFields(extra: unknown, rows: Table, words: Words, path: string): Record<string, unknown> {
  if (!isObject(extra)) throw words.refuse(`${path}extra`, 'must be an object of fields')
  const fields = { ...extra }
  for (const key of Reflect.ownKeys(fields)) {
    const name = typeof key === 'string' ? key : ''
    const refuse = (why: string) => words.refuse(`${path}extra.${name}`, why)
    const known = Object.keys(rows).find((one) => one !== 'extra' && plain(one) === plain(name))
    if (known !== undefined) throw refuse(`has a place of its own: give it as ${path}${known}`)
    if (name === '') throw words.refuse(`${path}extra`, 'holds a field without a name')
    // The one would be lost, and the other would stand in the place of all that was checked.
    if (name === '__proto__' || name === 'toJSON') throw refuse('is not the name of a field')
    const never = words.never?.(name)
    if (never !== undefined) throw refuse(never)
  }
  return fields
}

/**
 * How a request is spoken of whose fields may have come to the wrong one of its objects.
 *
 * @param what the request: `a payin`.
 * @param all its table.
 * @param whyNot what is said of a name that may be in no place at all; it goes on after `what`.
 */
export function requestWords(what: string, all: Table, whyNot?: (name: string) => string | undefined): Words {
  const paths = pathsOf(all)
  const never = (name: string) => {
    const why = whyNot?.(name)
    return why === undefined ? undefined : `is not a field of ${what}${why}`
  }
  return {
    ...argument('request', ''),
    never,
    notKnown: (name, known, path) =>
      never(name) ??
      `is not a field of ${what}${
        didYouMean(name, known, path) ||
        misplaced(name, paths) ||
        ` that this version knows; one that the gateway has added goes into ${path}extra`
      }`,
  }
}

function pathsOf(rows: Table, path = ''): string[] {
  return Object.entries(rows).flatMap(([name, row]) => {
    if (!isLevel(row)) return []
    const inside = `${path}${name}.`
    return [...Object.keys(row.rows).map((field) => inside + field), ...pathsOf(row.rows, inside)]
  })
}

function isLevel(row: Row<unknown>): row is Level {
  return 'rows' in row
}

function misplaced(name: string, paths: readonly string[]): string | undefined {
  const meant = paths.find((path) => isNameOf(name, path.slice(path.lastIndexOf('.') + 1)))
  return meant === undefined ? undefined : `; did you mean ${meant}?`
}
