import { InvalidInputError } from '../errors.js'

/** What a text says as JSON; undefined where it is none, which no JSON is. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The parsed body, or undefined when it is not JSON that is worth its time. */
export function parseJson(body: string): unknown {
  if (isOvergrown(body)) return undefined
  try {
    return JSON.parse(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body)
  } catch {
    return undefined
  }
}

/** What is shorter is parsed in no time, whatever is in it. */
const cheapLength = 65_536
const deepest = 1_000
const mostContainers = 250_000
/** A longer answer may hold more of them, when each has so many characters. */
const charactersForEach = 12
/** Each costs far more than a value does; answers repeat the names of their fields. */
const mostNames = 50_000

/**
 * Whether a text would cost far more to parse than its length says: four megabytes of brackets take seconds and
 * a hundred megabytes, as many different names a third of a second, and no answer of a gateway looks like that.
 * Reads the text once, and parses nothing.
 */
export function isOvergrown(text: string): boolean {
  if (text.length <= cheapLength) return false
  const most = Math.max(mostContainers, text.length / charactersForEach)
  let depth = 0
  let containers = 0
  let [start, end] = [0, 0]
  const names = new Set<number>()
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === quote) {
      start = at + 1
      end = endOfString(text, at)
      at = end
    } else if (character === colon) {
      names.add(hashOf(text, start, end))
      if (names.size > mostNames) return true
    } else if (character === openBracket || character === openBrace) {
      depth++
      containers++
      if (depth > deepest || containers > most) return true
    } else if (character === closeBracket || character === closeBrace) {
      depth--
    }
  }
  return false
}

const colon = 58
const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [34, 92, 91, 93, 123, 125]

/** Where the string that begins here ends; the end of the text when it doesn't. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** Names that are longer than this are too few to matter. */
const hashedCharacters = 64

function hashOf(text: string, start: number, end: number): number {
  let hash = end - start
  for (let at = Math.max(start, end - hashedCharacters); at < end; at++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  }
  return hash
}

/** With every number as a decimal: `1e-7` is JSON too, and a gateway that reads amounts as decimals need not take it. */
function withoutExponents(json: string): string {
  // Texts are matched as well, so that what they hold stays as it is.
  return json.replace(
    /"[^"\\]*(?:\\.[^"\\]*)*"|(\d)(?:\.(\d+))?e-(\d+)/g,
    (all, whole: string | undefined, fraction = '', zeros = '0') =>
      whole === undefined ? all : `0.${'0'.repeat(Number(zeros) - 1)}${whole}${fraction}`,
  )
}

/** What plain data inherits from. */
const prototypes = [Object, Array, String, Number, Boolean].map(({ prototype }) => prototype)

/**
 * JSON as it goes out, with every number as a decimal.
 *
 * @throws {InvalidInputError} for what JSON can't hold: a BigInt, a circle; and where another package of the process
 * has changed what `JSON.stringify` writes of plain data: another amount might be sent than was asked for.
 */
export function serialise(value: unknown): string {
  for (const prototype of prototypes) {
    if (!('toJSON' in prototype)) continue
    throw new InvalidInputError(
      'a package in this process has put toJSON on the prototype of plain data, which changes what JSON holds; nothing was sent. Find the package, or delete that property before payments are made.',
    )
  }
  try {
    const json = JSON.stringify(value)
    return /\de-\d/.test(json) ? withoutExponents(json) : json
  } catch (cause) {
    throw new InvalidInputError(
      "the request holds what JSON can't (a BigInt, or a circle); nothing was sent.",
      {},
      cause,
    )
  }
}
