import { longestText } from './hide.js'
import { type Hide, mask } from './mask.js'
import { readingsOf } from './readings.js'

/** What looks like a token, a key, an e-mail address, or the number of an account or a card, whoever's it is. */
const somebodys: readonly RegExp[] = [
  /-----BEGIN/,
  /eyJ[\w-]{4}/,
  // But for "Bearer token missing" and "basic authentication".
  /\b(?:bearer|basic)\s+(?![a-z]{1,15}(?:$|\.?(?:\s|$)|[^\w\s.=+/~-]))\S/i,
  /[^\s"'<>@:;,]@[^\s"'<>@:;,]/,
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2}/,
  /\d(?:[ -]?\d){5}/,
]
/** Rows of digits that are nobody's: UUIDs, times, and amounts with decimals. */
const harmless =
  /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?|\b\d{1,12}\.\d{2,3}\b/gi

/**
 * Shows a text of the gateway's, unless `hide` knows better, or it looks as if it held what is somebody's.
 *
 * @param id of the payment that it is about: errors show it, and it may be a number.
 */
export function redact(text: string, hide: Hide, id = ''): string {
  const shown = hide(text)
  // As a whole word alone: a longer number may begin with it.
  const withoutId = (reading: string) => reading.replace(/[\w-]+/g, (word) => (word === id ? ';' : word))
  return shown === mask || readingsOf(text).plain.some((reading) => isSomebodys(withoutId(reading)))
    ? mask
    : shown
}

function isSomebodys(reading: string): boolean {
  // What does not show may stand in the middle of an account number.
  const plain = reading.replace(/(?!\s)[\p{Cc}\p{Cf}]/gu, '').replace(harmless, ';')
  return somebodys.some((form) => form.test(plain))
}

const shownCharacters = 200
/** Whatever is blank in it, so much text leaves more than is looked through. */
const readCharacters = 100_000

/** The first characters of a body that nobody can read, for an error message. */
export function bodyStart(body: string, hide: Hide, id = ''): string {
  const collapsed = body.slice(0, readCharacters).replace(/\s+/g, ' ').trim()
  // Looked through far beyond what is shown, so that a secret that begins there is known by its rest.
  return redact(collapsed.slice(0, longestText), hide, id).slice(0, shownCharacters)
}

const messageFields = ['code', 'error', 'errorCode', 'message', 'title', 'detail', 'description', 'reason']
const listFields = ['error', 'errors', 'details', 'violations']
const mostErrors = 5
const deepest = 4

/**
 * What a JSON error body says under the usual names, also in an object or a list of errors; each of its texts by
 * itself, so that a code is shown whose description is not. The specification does not show its shape (section 7,
 * gaps).
 */
export function gatewayMessage(json: unknown, hide: Hide, id = ''): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const said = Array.isArray(json) ? json.filter((one) => typeof one === 'object') : json
  const texts = saidIn(said, 0, (text) => bodyStart(text, hide, id))
  const message = [...new Set(texts)].join('; ')
  // Once more, since a secret may stand in two of them.
  return message === '' ? undefined : bodyStart(message, hide, id)
}

function saidIn(node: unknown, depth: number, show: (text: string) => string): readonly string[] {
  if (typeof node === 'string') return [show(node)]
  if (typeof node !== 'object' || node === null || depth > deepest) return []
  if (Array.isArray(node)) return node.slice(0, mostErrors).flatMap((one) => saidIn(one, depth + 1, show))
  const own = (names: readonly string[]) =>
    names.map((name): unknown => Object.getOwnPropertyDescriptor(node, name)?.value)
  const texts = own(messageFields).filter((value) => typeof value === 'string')
  const shown = [...new Set(texts.map(show))]
  const nested = own(listFields).filter((value) => typeof value !== 'string')
  return [
    ...(texts.length === 0 ? [] : [shown.join(': ')]),
    ...nested.flatMap((value) => saidIn(value, depth + 1, show)),
  ]
}
