import { isObject } from '../../../../src/client/input/own.js'
import { header, type RequestHeaders } from './request.js'
import { Refusal } from './response.js'

// A byte order mark is kept, so that JSON.parse refuses it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Section 4: endpoints with a body need `Content-Type: application/json`. The status 415 is an assumption. */
export function requireJsonContent(headers: RequestHeaders): void {
  const [type = '', ...parameters] = (header(headers, 'content-type') ?? '').split(';')
  const charset = parameters
    .map((part) => part.trim().toLowerCase())
    .find((part) => part.startsWith('charset='))
  const encoding = header(headers, 'content-encoding') ?? 'identity'
  const isJson = type.trim().toLowerCase() === 'application/json'
  const isUtf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset)
  if (isJson && isUtf8 && encoding === 'identity') return
  throw new Refusal(
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'The body must come as Content-Type: application/json in UTF-8.',
  )
}

/** The body as a JSON object, or a 400. */
export function parseObject(body: Uint8Array): Record<string, unknown> {
  const value = parse(body)
  if (isObject(value)) return value
  throw new Refusal(400, 'INVALID_JSON', 'The body must be a JSON object.')
}

function parse(body: Uint8Array): unknown {
  try {
    const value: unknown = JSON.parse(utf8.decode(body))
    return value
  } catch {
    throw new Refusal(400, 'INVALID_JSON', 'The body is not valid JSON in UTF-8.')
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const whitespace = new Set([0x20, 0x09, 0x0a, 0x0d])

/**
 * Whether valid JSON has no insignificant whitespace (section 5). It scans the bytes: `JSON.stringify` would write
 * 10.50 and some escapes in another way, which are valid too.
 */
export function isMinified(body: Uint8Array): boolean {
  let inString = false
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index] ?? 0
    if (inString) {
      if (byte === BACKSLASH) index += 1
      else if (byte === QUOTE) inString = false
    } else if (byte === QUOTE) inString = true
    else if (whitespace.has(byte)) return false
  }
  return true
}

/**
 * Whether a field at the top of a JSON object is a number that is not written as an integer, such as `9e2` or
 * `900.0`: the number that `JSON.parse` returns does not show it.
 *
 * @param json an object that `JSON.parse` takes
 */
export function isWrittenAsFraction(json: string, field: string): boolean {
  let depth = 0
  let name = ''
  let isValue = false
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at] ?? ''
    if (char === '"') {
      const end = endOfString(json, at)
      // Parsed as JSON, because a name may hold escapes.
      if (depth === 1 && !isValue) name = String(JSON.parse(json.slice(at, end)))
      at = end - 1
    } else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    else if (depth === 1 && (char === ':' || char === ',')) isValue = char === ':'
    else if (depth === 1 && name === field && /[.eE]/.test(char) && isNumber(json, at)) return true
  }
  return false
}

/** Where the string that begins at `start` has ended. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    if (json[at] === '\\') at += 1
    else if (json[at] === '"') return at + 1
  }
  return json.length
}

/** A point or an exponent follows a digit; the letters of true, false and null do not. */
function isNumber(json: string, at: number): boolean {
  return /\d/.test(json[at - 1] ?? '')
}
