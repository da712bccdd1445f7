import * as z from 'zod/mini'
import { isObject } from '../../common/json.js'
import { dotted, type Path } from '../input/check.js'
import type { RefusalCode } from './refusal-fixes.js'
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

// Lazy, which takes no stack for a long string.
const strings = /"(?:[^"\\]|\\.)*?"/g

/** Section 5. Outside of strings only: `JSON.stringify` would write 10.50 and some escapes in another way. */
export function isMinified(body: Uint8Array): boolean {
  return !/\s/.test(utf8.decode(body).replace(strings, ''))
}

/** @throws with 400 that names the first field that is certainly wrong ({@link Refusal}). */
export function readBody<Schema extends z.ZodMiniType>(
  schema: Schema,
  body: Record<string, unknown>,
  codeOf: (path: Path) => RefusalCode,
): z.infer<Schema> {
  const read = z.safeParse(schema, body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  if (issue === undefined) throw read.error
  throw new Refusal(400, codeOf(issue.path), `${dotted(issue.path)} ${issue.message}.`)
}
