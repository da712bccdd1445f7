import { plain } from './nearest.js'
import { didYouMean, own, ownOf } from './own.js'
import { wrongInput } from './wrong-input.js'

/** One object of a request: where it stands, and what may be in it. */
export interface Level {
  /** Ends with a dot; empty at the top. */
  readonly path: string
  /** What the object belongs to: `a payin`. */
  readonly what: string
  readonly known: readonly string[]
  /** Fields of the objects around it, by their paths: one of them may have come to the wrong place. */
  readonly elsewhere?: readonly string[]
  /** What is said of a name that may be in no place at all; it goes on after `what`. */
  readonly whyNot?: (name: string) => string | undefined
}

/**
 * One object of a request as the wire has it: the fields that this version knows, and those that its
 * `extra` adds, since the gateway may take more than this version knows (specification, section 9).
 *
 * @throws {InvalidInputError} for every other name, wherever it may have come from.
 */
export function requestFields(given: Record<string, unknown>, level: Level): Record<string, unknown> {
  const { path, what, known, elsewhere = [], whyNot } = level
  const names = [...known, 'extra']
  const notKnown = (name: string) =>
    `is not a field of ${what}${
      whyNot?.(name) ||
      didYouMean(name, names, path) ||
      misplaced(name, elsewhere) ||
      ` that this version knows; one that the gateway has added goes into ${path}extra`
    }`
  const fields = ownOf(given, names, notKnown, (name, why) => wrongInput(path + name, why))
  const { extra } = fields
  delete fields.extra
  return extra === undefined ? fields : Object.assign(fields, extraFields(extra, level))
}

function misplaced(name: string, elsewhere: readonly string[]): string | undefined {
  const meant = elsewhere.find((path) => plain(path.slice(path.lastIndexOf('.') + 1)) === plain(name))
  return meant === undefined ? undefined : `; did you mean ${meant}?`
}

/** A field in a place that says "I know what I do" is still not the one that is beside it. */
function extraFields(extra: unknown, { path, what, known, whyNot }: Level): Record<string, unknown> {
  if (!isObject(extra)) throw wrongInput(`${path}extra`, 'must be an object of fields')
  const fields = own(extra)
  for (const key of Reflect.ownKeys(fields)) {
    const name = typeof key === 'string' ? key : ''
    const refuse = (why: string) => wrongInput(`${path}extra.${name}`, why)
    const own = known.find((one) => plain(one) === plain(name))
    if (own !== undefined) throw refuse(`is a field of ${what}: give it as ${path}${own}`)
    if (name === '' || name === '__proto__') throw refuse('is not the name of a field')
    const id = whyNot?.(name)
    if (id !== undefined) throw refuse(`is not a field of ${what}${id}`)
  }
  return fields
}

/** Whether a value may have fields. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
