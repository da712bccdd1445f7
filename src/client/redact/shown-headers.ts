import type { Hide } from './mask.js'

/** Headers that hold nothing of the merchant's or the customer's. */
const shown = [
  'content-type',
  'date',
  'retry-after',
  'x-request-id',
  'x-correlation-id',
  'traceparent',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]

interface HeaderValues {
  get(name: string): string | undefined
}

/** The headers of an answer that may be shown, without values that are known to be secret. */
export function shownHeaders(headers: HeaderValues, hide: Hide): Record<string, string> {
  const safe: Record<string, string> = {}
  for (const name of shown) {
    const value = headers.get(name)
    if (value !== undefined) safe[name] = hide(value)
  }
  return safe
}
