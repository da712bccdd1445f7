import { escapePattern } from '../schemas/pattern.js'

/**
 * Masks what must not be printed in text that came from outside: what looks like a token, a key, an
 * account number or an e-mail address, and the very values that this call knows to be secret.
 */
export function redact(text: string, secrets: Iterable<string>): string {
  return without(text, secrets)
    .replace(/-----BEGIN[^-]*-----[\s\S]*?(?:-----END[^-]*-----|$)/g, mask)
    .replace(/\b(bearer|basic)\s+\S+/gi, `$1 ${mask}`)
    .replace(/eyJ[\w-]{4,}(?:\.[\w-]*)*/g, mask)
    .replace(/[^\s"'<>@:;,]{1,64}@[^\s"'<>@:;,]{1,255}/g, mask)
    .replace(/\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,}(?: ?[A-Z0-9]{1,4})?\b/g, mask)
    .replace(/\d(?:[ -]?\d){5,}/g, mask)
}

/** Masks nothing but these very values, in any letter case and as they are written in URLs, HTML and JSON. */
export function without(text: string, secrets: Iterable<string>): string {
  const long = [...secrets].filter(({ length }) => length >= shortestSecret)
  // The longest first: a mask in the middle of a form would leave its ends.
  const forms = [...new Set(long.flatMap(formsOf))].sort((a, b) => b.length - a.length)
  return forms.length === 0 ? text : text.replace(new RegExp(forms.map(escapePattern).join('|'), 'gi'), mask)
}

const mask = '[redacted]'
const shortestSecret = 3

/** A value as a page, a URL or a JSON text would echo it. */
function formsOf(secret: string): string[] {
  const url = encodeURIComponent(secret.replace(/[\ud800-\udfff]/gu, ''))
  const numbered = secret.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
  const named = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const json = JSON.stringify(secret).slice(1, -1)
  const ascii = json.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [secret, url, url.replaceAll('%20', '+'), ...quoted(numbered), ...quoted(named), json, ascii]
}

function quoted(html: string): string[] {
  return [
    html,
    html.replaceAll("'", '&#39;').replaceAll('"', '&#34;'),
    html.replaceAll("'", '&#x27;').replaceAll('"', '&quot;'),
    html.replaceAll("'", '&apos;').replaceAll('"', '&quot;'),
  ]
}

const customerFields = /account|name|mail|phone|secret|address/i

/** The strings of a request body that name a customer: account, name and e-mail address, also in lists. */
export function customerData(value: unknown): string[] {
  const found: string[] = []
  const visit = (node: unknown, named: boolean, depth: number): void => {
    if (typeof node === 'string') {
      if (named) found.push(node)
    } else if (depth < 8 && typeof node === 'object' && node !== null) {
      const inList = Array.isArray(node)
      for (const [key, child] of Object.entries(node)) {
        visit(child, inList ? named : customerFields.test(key), depth + 1)
      }
    }
  }
  visit(value, false, 0)
  return found
}

const shownCharacters = 200
/** Whatever is masked, so much text leaves more than is shown. */
const readCharacters = 20_000

/** The first bytes of a body that nobody can read, for an error message. */
export function bodyStart(body: string, secrets: Iterable<string>): string {
  const collapsed = body.replace(/\s+/g, ' ').trim().slice(0, readCharacters)
  const known = [...secrets].map((secret) => secret.replace(/\s+/g, ' ').trim())
  // Masked far beyond what is shown, so that no cut leaves half a secret behind.
  return redact(collapsed, known).slice(0, shownCharacters)
}

const messageFields = ['code', 'error', 'errorCode', 'message', 'title', 'detail', 'description', 'reason']

/**
 * What a JSON error body says under the usual names. The specification does not show its shape
 * (section 7, gaps).
 */
export function gatewayMessage(body: string, secrets: Iterable<string>): string | undefined {
  const json = parseJson(body)
  if (typeof json !== 'object' || json === null) return undefined
  const nested = 'error' in json && typeof json.error === 'object' && json.error !== null ? json.error : json
  const parts: string[] = []
  for (const [key, value] of Object.entries(nested)) {
    if (messageFields.includes(key) && typeof value === 'string') parts.push(value)
  }
  return parts.length === 0 ? undefined : bodyStart(parts.join(': '), secrets)
}

/** The parsed body, or undefined when it is not JSON. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body)
  } catch {
    return undefined
  }
}
