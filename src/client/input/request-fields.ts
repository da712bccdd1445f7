import { type NotKnown, prefixOf, saysOf } from './check.js'
import { fitting } from './kinds.js'
import { didYouMean, isNameOf, plain } from './nearest.js'
import { isObject } from './values.js'
import * as z from './zod.js'

export type RequestShape<O> = { readonly [Name in Exclude<keyof O, 'extra'>]: z.Schema }

type Sent<S extends z.Fields> = ReturnType<typeof z.strictObject<S>>

/** Makes an object of a request. @param expected what it must be: `an object with money in it`. */
export type Level = <S extends z.Fields>(expected: string, fields: S, ...checks: z.Checks) => Sent<S>

/**
 * A request, whose fields may have come to the wrong one of its objects. Each of these may have an `extra`, with what
 * this version doesn't know (specification, section 9): it goes out beside the other fields.
 *
 * @param what the request: `a payin`.
 * @param whyNot what is said of a name that may be in no place at all; it goes on after `what`.
 */
export function requestOf<R extends z.Schema>(
  what: string,
  make: (level: Level) => R,
  whyNot: (name: string) => string | undefined = () => undefined,
): R {
  const never = (name: string) => {
    const why = whyNot(name)
    return why === undefined ? undefined : `is not a field of ${what}${why}`
  }
  const notKnown: NotKnown = (name, known, path) =>
    never(name) ??
    `is not a field of ${what}${
      didYouMean(name, known, path) ||
      misplaced(name, pathsOf(request)) ||
      ` that this version knows; one that the gateway has added goes into ${path}extra`
    }`
  function level<S extends z.Fields>(expected: string, fields: S, ...checks: z.Checks): Sent<S>
  function level(expected: string, fields: z.Fields, ...checks: z.Checks): z.Schema {
    const names = Object.keys(fields)
    const all = { ...fields, extra: z.optional(fitting('an object of fields', isObject)) }
    const says = saysOf(Object.keys(all), notKnown, `must be ${expected}`)
    return z.sentObject(
      all,
      (issue) => (issue.code === 'custom' ? whyNotBeside(issue, names, never) : says(issue)),
      (payload, inst) => unpack(payload, inst, names, never),
      ...checks,
    )
  }
  const request = make(level)
  return request
}

type Never = (name: string) => string | undefined

function unpack(
  payload: z.ParsePayload<Record<string, unknown>>,
  inst: z.$ZodType,
  fields: readonly string[],
  never: Never,
): void {
  const { extra } = payload.value
  if (!isObject(extra)) return
  for (const key of Reflect.ownKeys(extra)) {
    const name = typeof key === 'string' ? key : ''
    if (whyNotInExtra(name, '', fields, never) === undefined) continue
    const path = name === '' ? ['extra'] : ['extra', name]
    payload.issues.push({ code: 'custom', input: extra, path, inst })
  }
  // What is undefined is not on the wire.
  Object.assign(payload.value, { extra: undefined }, extra)
}

function whyNotBeside({ path = [] }: z.$ZodRawIssue, fields: readonly string[], never: Never) {
  const place = path.lastIndexOf('extra')
  return whyNotInExtra(path.slice(place + 1).join(), prefixOf(path.slice(0, place)), fields, never)
}

function whyNotInExtra(name: string, path: string, fields: readonly string[], never: Never) {
  const known = fields.find((one) => plain(one) === plain(name))
  if (known !== undefined) return `has a place of its own: give it as ${path}${known}`
  if (name === '') return 'holds a field without a name'
  // The one would be lost, and the other would stand in the place of all that was checked.
  return name === '__proto__' || name === 'toJSON' ? 'is not the name of a field' : never(name)
}

function pathsOf(schema: z.$ZodType, path = ''): string[] {
  return Object.entries(z.shapeOf(schema) ?? {}).flatMap(([name, field]) => [
    ...(path === '' ? [] : [path + name]),
    ...pathsOf(field, `${path}${name}.`),
  ])
}

function misplaced(name: string, paths: readonly string[]): string | undefined {
  const meant = paths.find((path) => isNameOf(name, path.slice(path.lastIndexOf('.') + 1)))
  return meant === undefined ? undefined : `; did you mean ${meant}?`
}
