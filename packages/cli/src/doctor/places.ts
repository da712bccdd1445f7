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
  const processedAtField =
    times.find((place) => place === 'process.processedAt' || seen[0]?.has(place) !== true) ?? times[0]
  const words = seen
    .map((texts) => texts.get(statusField))
    .filter((word) => word !== undefined && isWord(word))
  const end = last.get(statusField)
  const hasEnded = end === 'SUCCESS' || (processedAtField !== undefined && isEnded(last, processedAtField))
  return {
    statusField,
    ...(processedAtField === undefined ? {} : { processedAtField }),
    words: [...new Set(words)].filter((word) => word !== undefined),
    ...(end !== undefined && isWord(end) && hasEnded ? { end } : {}),
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

/** The place that looks most like one of a status: by its name, by SUCCESS in it, and by changing. */
function statusPlace(seen: readonly Texts[]): string | undefined {
  const points = (place: string) => {
    const values = seen.flatMap((texts) => texts.get(place) ?? [])
    if (customers.test(place) || !values.some(isWord)) return 0
    const name = place.split('.').at(-1) ?? ''
    const named = /^(?:status|state)$/i.test(name) ? 8 : /status|state(?!ment)/i.test(name) ? 4 : 0
    const looksLike = named + (values.includes('SUCCESS') ? 8 : 0)
    if (looksLike === 0) return 0
    const changes = new Set(values).size > 1 ? 4 : 0
    const always = values.length === seen.length ? 2 : 0
    return looksLike + changes + always + (place === 'process.status' ? 1 : 0) + 1 / place.length
  }
  const places = new Set(seen.flatMap((texts) => [...texts.keys()]))
  const [best] = [...places].filter((place) => points(place) > 0).sort((a, b) => points(b) - points(a))
  return best
}

const endNames =
  /(?:processed|finished|completed|ended|settled|done|closed|final(?:ized|ised)?)(?:_?(?:at|on|time|date))?$/i

/** The times that a name calls the end; that of the specification first. */
function timePlaces(texts: Texts): string[] {
  return [...texts]
    .filter(([place, value]) => /^\d{4}-\d\d-\d\d/.test(value) && endNames.test(place))
    .map(([place]) => place)
    .sort((a, b) => Number(b === 'process.processedAt') - Number(a === 'process.processedAt'))
}
