import { visible } from './input/visible.js'

export type Hide = (text: string) => string

export const mask = "not shown, since it held a secret or a customer's value"
const longestText = 4096
/** A shorter secret has to stand by itself, so that "Ann" is not found in "cannot". */
const shortestAnywhere = 8
const mostTexts = 12
/** The end of a callback URL, whichever of the merchant's processes has signed it. */
const signedSegment = /\b[12]\.[\w-]{8}\.pay(?:in|out)\.[\w-]{2,}\.[\w-]{16,}/

/** Hides a text that holds a secret: as it is, JSON-escaped or percent-encoded. Others are shown on one line. */
export function hiding(secrets: readonly string[]): Hide {
  // A line of a key says enough.
  const lines = secrets.flatMap((secret) => secret.split('\n').filter(({ length }) => length >= 16))
  const wanted = [...new Set([...secrets, ...lines].map(comparable))].filter(({ length }) => length > 1)
  // Of many accents little is left to compare.
  const asTheyAre = secrets.filter(({ length }) => length > 1)
  const isIn = (reading: string, text: string) =>
    signedSegment.test(reading) ||
    wanted.some((secret) => holds(text, secret)) ||
    asTheyAre.some((secret) => holds(reading, secret))
  const hides = (text: string) => readingsOf(text).some((reading) => isIn(reading, comparable(reading)))
  return (text) => (text.length > longestText || hides(text) ? mask : visible(text))
}

/** Banks and servers change the case of a name and the form of its accents. Small letters first: a sigma has two of them. */
function comparable(text: string): string {
  const capitals = text.toLowerCase().toUpperCase().normalize('NFKD')
  return capitals.toLowerCase().toUpperCase().replace(/\p{M}/gu, '')
}

function holds(text: string, secret: string): boolean {
  if (secret.length >= shortestAnywhere || /[^\0-\x7f]/.test(secret)) return text.includes(secret)
  const isLetter = (at: number) => /[\p{L}\p{N}]/u.test(text[at] ?? '')
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
    if (!isLetter(at - 1) && !isLetter(at + secret.length)) return true
  }
  return false
}

function readingsOf(text: string): readonly string[] {
  const once = [text, ...unescaped(text)]
  return [...new Set([...once, ...once.flatMap(unescaped)])]
}

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function unescaped(text: string): readonly string[] {
  const json = text.replace(/\\(?:u([\da-f]{4})|([^u]))/gi, (_, code: string | undefined, sign: string) =>
    code === undefined ? (controls[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
  )
  const percent = (encoded: string) =>
    encoded.replace(/(?:%[\da-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString())
  return [json, percent(text), percent(text.replaceAll('+', ' '))]
}

const codeFields = /code$|^id|^action$|^operations$/i

/** The texts of a request that no error may show: all but codes and ids. Parts of names and URLs are among them. */
export function secretsIn(body: unknown, field = '', depth = 0): string[] {
  if (typeof body === 'string') {
    const name = /name/i.test(field) ? body.slice(0, 300).split(/[^\p{L}\p{M}\p{N}]+/u) : []
    const url = /url/i.test(field) ? [body.replace(/^\w+:\/\/[^/?#]*/, ''), ...body.split(/[^\w-]+/)] : []
    const parts = [...name.filter(({ length }) => length > 2), ...url.filter(({ length }) => length >= 16)]
    return codeFields.test(field) ? [] : [body, ...parts]
  }
  if (typeof body !== 'object' || body === null || depth > 8) return []
  return Object.entries(body).flatMap(([key, value]) =>
    secretsIn(value, Array.isArray(body) ? field : key, depth + 1),
  )
}

/** What looks like a token, a key, an e-mail address, or the number of an account or a card. */
const somebodys =
  /-----BEGIN|eyJ[\w-]{4}|[^\s"'<>@:;,]@[^\s"'<>@:;,]|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2}|\d(?:[ -]?\d){5}/
const credentials = /\b(?:bearer|basic)\s+(?![a-z]{1,15}(?:$|\.?(?:\s|$)|[^\w\s.=+/~-]))\S/i
/** Digits that are nobody's: UUIDs, dates and times, and amounts with decimals. */
const harmless = new RegExp(
  [
    String.raw`\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b`,
    String.raw`\b20\d\d[01]\d[0-3]\dT[0-2]\d{3}(?:\d\d)?(?:[.,]\d{1,9})?`,
    String.raw`(?:\b20\d\d(?:[-/.][01]\d[-/.][0-3]\d)?|\b[0-3]?\d[-/.][01]?\d[-/.]20\d\d)?[T ,]*[0-2]\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[-+]\d\d:?\d\d\b)?`,
    String.raw`\b20\d\d[-/.][01]\d[-/.][0-3]\d\b|\b[0-3]?\d[-/.][01]?\d[-/.]20\d\d\b`,
    String.raw`\b\d{1,12}\.\d{2,3}\b`,
  ].join('|'),
  'gi',
)

function redact(text: string, hide: Hide, id: string): string {
  const isSomebodys = (reading: string) => {
    // As a whole word alone: a longer number may begin with the id.
    const left = reading.replace(/[\w-]+/g, (word) => (word === id ? ';' : word)).replace(harmless, ';')
    return somebodys.test(left) || credentials.test(left)
  }
  return readingsOf(text).some(isSomebodys) ? mask : hide(text)
}

/** The first characters of a text. The search comes first: a secret that begins there is known by its rest. */
function startOf(text: string, hide: Hide, id: string): string {
  const shown = redact(text, hide, id)
  return shown.length > 200 ? `${shown.slice(0, 199)}…` : shown
}

function collapsed(text: string): string {
  // A page may be blank for long; so much of it leaves more than is shown.
  return text.slice(0, 100_000).replace(/\s+/g, ' ').trim().slice(0, longestText)
}

/** The first characters of a body that is no JSON, and what it says without the tags of HTML and XML. */
export function bodyStart(body: string, hide: Hide, id = '') {
  const start = collapsed(body)
  const said = collapsed(start.replace(/<(style|script)\b.*?<\/\1>|<[^>]*>/gi, ' '))
  return { start: startOf(start, hide, id), said: startOf(said, hide, id) }
}

/** Every short text of a JSON error body with its path; the specification shows no shape (section 7, gaps). */
export function gatewayMessage(json: unknown, hide: Hide, id = ''): string | undefined {
  const shown = new Map<string, string>()
  for (const [path, text] of textsIn(json)) {
    const said = startOf(collapsed(text), hide, id)
    if (said === '' || shown.has(said)) continue
    const where = redact(path, hide, id)
    shown.set(said, where === '' || where === mask || said === mask ? said : `${where}: ${said}`)
    if (shown.size >= mostTexts) break
  }
  return shown.size === 0 ? undefined : [...shown.values()].join('; ')
}

function* textsIn(node: unknown, path = '', depth = 0): Generator<readonly [path: string, text: string]> {
  if (typeof node === 'string') yield [path, node]
  if (typeof node !== 'object' || node === null || depth > 8) return
  for (const [key, value] of Object.entries(node)) {
    const inside = Array.isArray(node) ? `${path}[${key}]` : `${path}${path === '' ? '' : '.'}${key}`
    yield* textsIn(value, inside, depth + 1)
  }
}

const safeHeaders = [
  ...'content-type date retry-after x-request-id x-correlation-id traceparent'.split(' '),
  ...['limit', 'remaining', 'reset'].flatMap((name) => [`ratelimit-${name}`, `x-ratelimit-${name}`]),
]

export function shownHeaders(headers: { get(name: string): string | undefined }, hide: Hide) {
  const there = safeHeaders.map((name) => [name, headers.get(name)] as const)
  const shown: Record<string, string> = {}
  for (const [name, value] of there) if (value !== undefined) shown[name] = hide(value)
  return shown
}
