import { isObject } from '../input/values.js'

const deepest = 6

/** The texts of a JSON value, each by the names of the fields that lead to it, with dots between them; without lists. */
function* textsIn(value: unknown, place = '', depth = 0): Generator<readonly [place: string, text: string]> {
  if (typeof value === 'string') {
    if (place !== '') yield [place, value]
    return
  }
  if (depth === deepest || !isObject(value)) return
  for (const [name, child] of Object.entries(value)) {
    // A name with a dot in it can't be told from two.
    if (/^[A-Za-z_$][\w$-]{0,63}$/.test(name))
      yield* textsIn(child, place === '' ? name : `${place}.${name}`, depth + 1)
  }
}

/** Where the token may stand in the response to a token request, the most likely place first. */
export function tokenPlaces(body: unknown): readonly string[] {
  return [...textsIn(body)]
    .filter(([, text]) => canBeToken(text))
    .sort(([, a], [, b]) => Number(isJwtLike(b)) - Number(isJwtLike(a)))
    .map(([place]) => place)
}

function isJwtLike(text: string): boolean {
  return /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text)
}

/** By the characters of RFC 6750, as the client has it. A word such as "OK" is no token. */
function canBeToken(text: string): boolean {
  return text.length <= 8192 && /^[\w.~+/-]{16,}=*$/.test(text)
}

/** How one payment shows where it stands. */
export interface ShownStatuses {
  /** Where its status stands, with dots for depth; absent where no text looks like one. */
  readonly statusField?: string
  /** Where the time of its end stands; absent where none was seen. */
  readonly processedAtField?: string
  /** The statuses that were seen, in their order. */
  readonly words: readonly string[]
  /** The last of them, if the payment has ended with it. */
  readonly end?: string
}

/** Texts of a body by their places. */
type Texts = ReadonlyMap<string, string>

/** @param bodies of the responses to the status requests of one payment, one after the other. */
export function statusesOf(bodies: readonly unknown[]): ShownStatuses {
  const seen = bodies.map((body) => new Map(textsIn(body)))
  const last: Texts = seen.at(-1) ?? new Map()
  const statusField = statusPlace(seen)
  if (statusField === undefined) return { words: [] }
  const times = timePlaces(last)
  const promised = times.find((place) => place === 'process.processedAt')
  const processedAtField = promised ?? times.find((place) => seen[0]?.has(place) !== true) ?? times[0]
  const words = seen.map((texts) => texts.get(statusField) ?? '').filter(isWord)
  const end = last.get(statusField) ?? ''
  const hasEnded = end === 'SUCCESS' || (processedAtField !== undefined && isEnded(last, processedAtField))
  return {
    statusField,
    ...(processedAtField === undefined ? {} : { processedAtField }),
    words: [...new Set(words)],
    ...(isWord(end) && hasEnded ? { end } : {}),
  }
}

/** Some gateways write both times when they accept a payment. */
function isEnded(texts: Texts, processedAt: string): boolean {
  const time = texts.get(processedAt)
  return time !== undefined && time !== texts.get(processedAt.replace(/[^.]*$/, 'createdAt'))
}

/** A word, and no name of somebody: those have two words with small letters. */
function isWord(text: string): boolean {
  return /^(?:[\p{L}_][\p{L}\p{N}_-]{0,63}|\p{Lu}[\p{Lu}\p{N} _-]{0,63})$/u.test(text) && !/\d{4}/.test(text)
}

/** Fields that a customer writes: a name can be SUCCESS, too. */
const customers =
  /(?:^|\.)(?:account|customer|payer|payee|holder)|name$|number$|e-?mail|address|phone|reference$|url$/i

/** What a place of a status is called, the likeliest first. */
const statusNames = [/^process\.status$/, /(?:^|\.)(?:status|state)$/i, /(?:status|state(?!ment))[^.]*$/i]

/** The place that looks most like one of a status: it changes, it is called one, or it has held SUCCESS. */
function statusPlace(seen: readonly Texts[]): string | undefined {
  const candidates = [...new Set(seen.flatMap((texts) => [...texts.keys()]))].flatMap((place) => {
    const values = seen.flatMap((texts) => texts.get(place) ?? [])
    const named = statusNames.findIndex((name) => name.test(place))
    const isOne = (named >= 0 || values.includes('SUCCESS')) && values.some(isWord) && !customers.test(place)
    if (!isOne) return []
    const doubts = [
      named < 0 ? 4 : named,
      new Set(values).size > 1 ? 0 : 2,
      values.length < seen.length ? 1 : 0,
    ]
    return [{ place, doubts: doubts.reduce((sum, one) => sum + one, 0) }]
  })
  const [best] = candidates.sort((a, b) => a.doubts - b.doubts || a.place.length - b.place.length)
  return best?.place
}

const endNames =
  /(?:processed|finished|completed|ended|settled|done|closed|final(?:ized|ised)?)(?:_?(?:at|on|time|date))?$/i

/** The times that a name calls the end. */
function timePlaces(texts: Texts): string[] {
  return [...texts]
    .filter(([place, value]) => /^\d{4}-\d\d-\d\d/.test(value) && endNames.test(place))
    .map(([place]) => place)
}
