import { type Hide, mask } from './mask.js'

/**
 * Masks what must not be printed in text that came from outside: what looks like a token, a key, an
 * account number or an e-mail address, and the very values that `hide` knows to be secret.
 */
export function redact(text: string, hide: Hide): string {
  const plain = text.replace(/(?!\s)[\p{Cc}\p{Cf}]/gu, '')
  // What does not show may stand in the middle of an account number: then nothing of the text is shown.
  if (plain !== text && masked(plain) !== plain) return mask
  return masked(hide(text))
}

function masked(text: string): string {
  return text
    .replace(/-----BEGIN[^-]*-----[\s\S]*?(?:-----END[^-]*-----|$)/g, mask)
    .replace(/\b(bearer|basic)\s+\S+/gi, `$1 ${mask}`)
    .replace(/eyJ[\w-]{4,}(?:\.[\w-]*)*/g, mask)
    .replace(/[^\s"'<>@:;,]{1,64}@[^\s"'<>@:;,]{1,255}/g, mask)
    .replace(/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,}(?: ?[A-Z0-9]{1,4})?\b/g, mask)
    .replace(/\d(?:[ -]?\d){5,}/g, mask)
}

const shownCharacters = 200
/** Whatever is blank in it and whatever is masked, so much text leaves more than is shown. */
const readCharacters = 100_000

/** The first bytes of a body that nobody can read, for an error message. */
export function bodyStart(body: string, hide: Hide): string {
  const collapsed = body.slice(0, readCharacters).replace(/\s+/g, ' ').trim()
  // Masked far beyond what is shown, so that no cut leaves half a secret behind.
  return redact(collapsed, hide).slice(0, shownCharacters)
}

const messageFields = ['code', 'error', 'errorCode', 'message', 'title', 'detail', 'description', 'reason']
const listFields = ['error', 'errors', 'details', 'violations']
const mostErrors = 5
const deepest = 4

/**
 * What a JSON error body says under the usual names, also in an object or a list of errors. The
 * specification does not show its shape (section 7, gaps).
 */
export function gatewayMessage(json: unknown, hide: Hide): string | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const said = Array.isArray(json) ? json.filter((one) => typeof one === 'object') : json
  const message = saidIn(said, 0).join('; ')
  return message === '' ? undefined : bodyStart(message, hide)
}

function saidIn(node: unknown, depth: number): readonly string[] {
  if (typeof node === 'string') return [node]
  if (typeof node !== 'object' || node === null || depth > deepest) return []
  if (Array.isArray(node)) return node.slice(0, mostErrors).flatMap((one) => saidIn(one, depth + 1))
  const own = (names: readonly string[]) =>
    names.map((name): unknown => Object.getOwnPropertyDescriptor(node, name)?.value)
  const texts = own(messageFields).filter((value) => typeof value === 'string')
  const nested = own(listFields).filter((value) => typeof value !== 'string')
  return [
    ...(texts.length === 0 ? [] : [texts.join(': ')]),
    ...nested.flatMap((value) => saidIn(value, depth + 1)),
  ]
}
