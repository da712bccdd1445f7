import type { GatewayProfile } from '../client/profile/gateway-profile.js'
import { namesOfFormat, profileSchema } from './schema.js'
import * as z from './zod-library.js'

/** Makes the error about one place of a profile: `why` goes on where the place ends. */
type Wrong = (place: string, why: string) => Error

/**
 * What this version of the format knows of some JSON, in objects that are new. Fields that a later version
 * has added are left out.
 *
 * @throws what `wrong` makes, of places and rules: no text of the file is in them.
 */
export function keepProfile(json: unknown, wrong: Wrong): GatewayProfile {
  const copy = copyOf(json)
  if (copy === undefined) throw wrong('', 'holds too much')
  const read = z.safeParse(profileSchema, copy.json, { error: () => 'must be an object', reportInput: true })
  if (read.success) return read.data
  const [issue] = read.error.issues
  if (issue === undefined) throw read.error
  const { place, why } = mistakeOf(issue)
  throw wrong(place, why)
}

/** A profile of a gateway that answers everything in every way; no honest one is near it. */
const mostParts = 50_000
const deepest = 40

/**
 * A copy of JSON, undefined where it is too much to be checked. zod passes over fields named `__proto__`: in the copy
 * they have a name that is refused where names are data, as any other that is none.
 */
function copyOf(json: unknown): { readonly json: unknown } | undefined {
  let parts = 0
  let isTooMuch = false
  const copy = (value: unknown, depth: number): unknown => {
    parts += 1
    isTooMuch ||= parts > mostParts || depth > deepest
    if (isTooMuch || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((entry: unknown) => copy(entry, depth + 1))
    const fields = Object.entries(value).map(([name, field]: [string, unknown]) => [
      name === '__proto__' ? ' ' : name,
      copy(field, depth + 1),
    ])
    return Object.fromEntries(fields)
  }
  const made = copy(json, 0)
  return isTooMuch ? undefined : { json: made }
}

interface Mistake {
  readonly place: string
  readonly why: string
}

function mistakeOf(issue: z.core.$ZodIssue, outer: readonly PropertyKey[] = []): Mistake {
  const path = [...outer, ...issue.path]
  const place = placeOf(path)
  switch (issue.code) {
    case 'invalid_key':
      return { place: placeOf(path.slice(0, -1)), why: 'has a field whose name is none' }
    case 'invalid_union': {
      // What is wrong with the alternative of the value's own type is what helps.
      const inside = issue.errors.flatMap(([first]) =>
        first === undefined || (first.code === 'invalid_type' && first.path.length === 0) ? [] : [first],
      )
      return inside[0] === undefined
        ? { place, why: 'must be a text or a list or an object' }
        : mistakeOf(inside[0], path)
    }
    default:
      return { place, why: issue.input === undefined ? 'is missing' : issue.message }
  }
}

/** Such as `answers.*.body`: what is no name of the format may be of the file, and is a star. */
function placeOf(path: readonly PropertyKey[]): string {
  const parts = path.map((part) => {
    if (typeof part === 'number') return '[]'
    return `.${namesOfFormat.has(String(part)) ? String(part) : '*'}`
  })
  return parts.join('').replace(/^\./, '')
}
