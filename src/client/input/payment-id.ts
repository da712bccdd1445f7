import { wrongInput } from './check.js'
import { unless } from './kinds.js'

/** Control characters and lone surrogates: neither can be part of a path. */
const unfit =
  /[\u0000-\u001f\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Undefined for an id that can be one. Names with `!` are the gateway's own (specification, section 4). */
export function whyNoId(id: unknown, longest = Number.POSITIVE_INFINITY): string | undefined {
  if (typeof id !== 'string') return 'must be a string'
  if (id === '') return 'must not be empty'
  if (id === '.' || id === '..') return 'must not be "." or "..", which are other paths'
  if (id.startsWith('!')) return 'must not start with "!", which names other endpoints'
  if (/[/\\]/.test(id)) return 'must not contain "/" or "\\", which are other paths'
  if (unfit.test(id)) return 'must not contain control characters or halves of characters'
  return id.length <= longest
    ? undefined
    : `must have at most ${longest} characters, and has ${id.length} (option maxIdLength)`
}

/** What columns and path segments commonly hold; a UUID has 36 characters. */
export const longestId = 255

export function checkId(id: unknown, field: string, longest = longestId): string {
  const why = whyNoId(id, longest)
  if (why !== undefined || typeof id !== 'string') throw wrongInput(field, why ?? 'must be a string')
  return id
}

export const paymentId = unless<string>((id) =>
  id === undefined ? 'must be your id of the payment' : whyNoId(id, longestId),
)
