import { isObject } from '../input/values.js'

const deepest = 6

/** The texts of a JSON value by their places: the names of the fields that lead there, with dots; without lists. */
function textsIn(value: unknown, place: readonly string[] = []): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return place.length === 0 ? [] : [[place.join('.'), value]]
  if (!isObject(value) || place.length === deepest) return []
  return Object.entries(value)
    .filter(([name]) => /^[A-Za-z_$][\w$-]{0,63}$/.test(name))
    .flatMap(([name, child]) => textsIn(child, [...place, name]))
}

/** Where the token may stand in the response to a token request, the most likely place first. */
export function tokenPlaces(body: unknown): readonly string[] {
  const isJwtLike = (text: string) => /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text)
  return (
    textsIn(body)
      // By the characters of RFC 6750, as the client has it. A word such as "OK" is no token.
      .filter(([, text]) => text.length <= 8192 && /^[\w.~+/-]{16,}=*$/.test(text))
      .sort(([, a], [, b]) => Number(isJwtLike(b)) - Number(isJwtLike(a)))
      .map(([place]) => place)
  )
}

/** How one payment shows where it stands. */
export interface ShownStatuses {
  /** Where its status stands; absent where no text looks like one. */
  readonly statusField?: string
  /** Where the time of its end stands; absent where none was seen. */
  readonly processedAtField?: string
  /** The statuses that were seen, in their order. */
  readonly words: readonly string[]
  /** The last of them, if the payment has ended with it. */
  readonly end?: string
}

/** @param bodies of the responses to the status requests of one payment, one after the other. */
export function statusesOf(bodies: readonly unknown[]): ShownStatuses {
  const seen = bodies.map((body) => new Map(textsIn(body)))
  const last = seen.at(-1) ?? new Map<string, string>()
  const statusField = statusPlace(seen)
  if (statusField === undefined) return { words: [] }
  const processedAtField = timePlace(seen[0], last)
  const end = last.get(statusField) ?? ''
  const time = processedAtField && last.get(processedAtField)
  // Some gateways write both times when they accept a payment.
  const isOver =
    time !== undefined && time !== last.get(processedAtField?.replace(/[^.]*$/, 'createdAt') ?? '')
  return {
    statusField,
    ...(processedAtField !== undefined && { processedAtField }),
    words: [...new Set(seen.map((texts) => texts.get(statusField) ?? '').filter(isWord))],
    ...(isWord(end) && (isOver || end === 'SUCCESS') && { end }),
  }
}

/** A word, and no name of somebody: those have two words with small letters. */
function isWord(text: string): boolean {
  return /^(?:[\p{L}_][\p{L}\p{N}_-]{0,63}|\p{Lu}[\p{Lu}\p{N} _-]{0,63})$/u.test(text) && !/\d{4}/.test(text)
}

/** The place that looks most like one of a status: by its name, and by changing. */
function statusPlace(seen: readonly ReadonlyMap<string, string>[]): string | undefined {
  const valuesOf = (place: string) => seen.flatMap((texts) => texts.get(place) ?? [])
  const points = (place: string) =>
    (new Set(valuesOf(place)).size > 1 ? 4 : 0) +
    (/(?:^|\.)(?:status|state)$/i.test(place) ? 2 : 0) +
    (place === 'process.status' ? 1 : 0)
  const [best] = [...new Set(seen.flatMap((texts) => [...texts.keys()]))]
    .filter((place) => /(?:status|state(?!ment))[^.]*$/i.test(place) && valuesOf(place).some(isWord))
    .sort((a, b) => points(b) - points(a) || a.length - b.length)
  return best
}

const endNames =
  /(?:processed|finished|completed|ended|settled|done|closed|final(?:ized|ised)?)(?:_?(?:at|on|time|date))?$/i

/** The place of the time that a name calls the end: that of the specification, else one that was not there at first. */
function timePlace(
  first: ReadonlyMap<string, string> | undefined,
  last: ReadonlyMap<string, string>,
): string | undefined {
  const places = [...last.keys()].filter(
    (place) => /^\d{4}-\d\d-\d\d/.test(last.get(place) ?? '') && endNames.test(place),
  )
  const promised = places.find((place) => place === 'process.processedAt')
  return promised ?? places.find((place) => first?.has(place) !== true) ?? places[0]
}
