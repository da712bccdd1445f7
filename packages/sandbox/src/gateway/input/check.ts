import * as z from 'zod/mini'

/** Where a value stands in what was passed: `['action', 'ms']`. */
export type Path = readonly PropertyKey[]

export type NameOf = (path: Path) => string

/**
 * The one way in which the sandbox checks what it is passed: by code, by its page and by the control API.
 * Messages of a schema go on after the name of the value: `must be a number`.
 *
 * @returns what the schema makes of the value
 * @throws with one sentence about the first thing that is wrong; a name that is not known comes first (`Error`).
 */
export function check<T>(schema: z.ZodMiniType<T>, value: unknown, nameOf: NameOf): T {
  const result = z.safeParse(schema, value)
  if (result.success) return result.data
  const { issues } = result.error
  // A name that is not known comes first: what it was meant for is then missing, too.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (issue === undefined) throw result.error
  const { message } = issue
  const path = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])]
  throw new Error(`${nameOf(path)} ${message}${message.endsWith('?') ? '' : '.'}`)
}

/** `limit`, `rate.limit`, `[2].amount`. */
export function dotted(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
}

interface ObjectWords {
  readonly what?: string
  readonly of?: string
  readonly has?: string
}

/**
 * An object with these fields and no other.
 * @param what `an object`, for what is none
 * @param of what the object is, for a field that is not known: `of the kind delay`
 * @param has goes before the names that are known
 */
export function exactly<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  { what = 'an object', of = '', has = 'there are' }: ObjectWords = {},
) {
  const names = Object.keys(shape)
  const known = `${of} is not known; ${has} ${names.join(', ')}`.trim()
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? known + didYouMean(String(issue.keys[0]), names)
        : `must be ${what}`,
  })
}

function didYouMean(name: string, known: readonly string[]): string {
  const meant = nearest(name, known)
  return meant === undefined ? '' : `; did you mean ${meant}?`
}

export function number(what: string, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY) {
  const message = `must be ${what}`
  return z.number(message).check(z.gte(least, message), z.lte(most, message))
}

export function whole(what: string, least: number, most = Number.MAX_SAFE_INTEGER) {
  return number(what, least, most).check(z.int(`must be ${what}`))
}

export function text(what = 'a text') {
  return z.string(`must be ${what}`).check(z.minLength(1, `must be ${what}`))
}

export function flag() {
  return z.boolean('must be true or false')
}

export function oneOf<const Text extends string>(texts: readonly Text[], what = texts.join(' or ')) {
  return z.enum(texts, `must be ${what}`)
}

/** The known name that a wrong one was probably meant for; undefined where that would be a guess. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name)
  if (wanted.length > 40) return undefined
  const typos = Math.min(3, Math.round(wanted.length / 3))
  const [best] = known
    .map((one) => ({ one, away: distance(wanted, plain(one)) }))
    .filter(({ away }) => away <= typos)
    .sort((a, b) => a.away - b.away)
  const longer = known.filter((one) => wanted !== '' && plain(one).startsWith(wanted))
  return best?.one ?? (longer.length === 1 ? longer[0] : undefined)
}

/** Case, dashes and underscores make no difference. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

/** How many letters too many, too few or other lie between two texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const letter of a) {
    const next = [(row[0] ?? 0) + 1]
    row.reduce((diagonal, above, column) => {
      const change = diagonal + (letter === b[column - 1] ? 0 : 1)
      next.push(Math.min(change, above + 1, (next[column - 1] ?? 0) + 1))
      return above
    })
    row = next
  }
  return row[b.length] ?? 0
}
