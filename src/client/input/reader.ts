import { nearest } from './nearest.js'
import { inherits, isObject, own, ownKeys } from './own.js'

/** Makes the error about one name: `why` goes on where the name ends. */
export type Refuse = (name: string, why: string) => Error

/** How one kind of object is spoken of to whoever gave a wrong one. */
export interface Door {
  /** About a name that is in no row: `is not an option of a call`. It goes on where the name ends. */
  readonly notKnown: (name: string, known: readonly string[], path: string) => string
  readonly refuse: Refuse
  /** About what is no object at all. */
  readonly needsObject: () => Error
  /** About a name that may not even be in `extra`, in place of `notKnown`; undefined for others. */
  readonly never?: (name: string) => string | undefined
}

/** One row of a table: what may stand under a name. */
export interface Row<T> {
  /** Ends the sentence "it must be". */
  readonly expected: string
  /** What is kept of what was given, which is `undefined` where nothing was. Throws what `refuse` makes. */
  readonly read: (given: unknown, name: string, door: Door) => T
}

/** A row for each name that may be in an object. */
export type Table = Readonly<Record<string, Row<unknown>>>

type NamesOf<O> = O extends unknown ? keyof O : never
type ValueOf<O, Name> = O extends unknown ? (Name extends keyof O ? O[Name] : undefined) : never

/** The table of an interface, or of a union of them. A name without its row doesn't compile, nor does a row of another type. */
export type Rows<O> = { readonly [Name in NamesOf<O>]: Row<ValueOf<O, Name>> }

/** What a table makes of an object. */
export type Values<R> = { [Name in keyof R]: R[Name] extends Row<infer T> ? T : never }

/**
 * What a caller's object says, by a table: own properties only, no name that has no row, and under each
 * name what its row keeps. A name is refused whatever its value is, `undefined` too: what is spelled
 * wrong is not what was meant.
 *
 * @param path what goes before the names in sentences: `paymentMethod.`.
 */
export function read<R extends Table>(given: unknown, rows: R, door: Door, path = ''): Values<R> {
  if (!isObject(given)) throw door.needsObject()
  const fields = own(given)
  refuseOthers(given, fields, rows, door, path)
  readRows(fields, rows, door, path)
  return fields
}

function refuseOthers(given: object, fields: object, rows: Table, door: Door, path: string) {
  for (const key of ownKeys(fields)) {
    if (Object.hasOwn(rows, key)) continue
    throw door.refuse(path + shown(key), door.notKnown(String(key), Object.keys(rows), path))
  }
  if (isPlain(given)) return
  const inherited = Object.keys(rows).find((name) => !(name in fields) && inherits(given, name))
  // Passed over in silence, an id would be made anew at every call.
  if (inherited !== undefined)
    throw door.refuse(path + inherited, 'is inherited, and only own properties are read')
}

/** Of no class and no template, as most are: it inherits nothing. */
function isPlain(object: object): boolean {
  return Object.getPrototypeOf(object) === Object.prototype
}

function readRows<R extends Table>(
  fields: Record<string, unknown>,
  rows: R,
  door: Door,
  path: string,
): asserts fields is Values<R> {
  // The names alone: an engine has them at hand, and makes a list of pairs anew each time.
  for (const name of Object.keys(rows)) {
    // Also where nothing is kept: a name that is there can't be taken from a prototype when this is copied.
    fields[name] = rows[name]?.read(fields[name], path + name, door)
  }
}

/** The end of a sentence about a wrong name: the one that was meant, if that can be told. */
export function didYouMean(name: string, known: readonly string[], path = ''): string {
  const meant = nearest(name, known)
  return meant === undefined ? '' : `; did you mean ${path}${meant}?`
}

/** A sentence about a wrong name, with the mark at its end; one that ends in a question has its own. */
export function endSentence(sentence: string, mark: string): string {
  return sentence.endsWith('?') ? sentence : sentence + mark
}

/** Names are a program's, but a mistake may put anything there. */
function shown(key: PropertyKey): string {
  return typeof key === 'string' && /^[A-Za-z_$][\w$-]{0,63}$/.test(key) ? key : '(not shown)'
}
