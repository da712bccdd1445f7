import type { Failure, TransportResponse } from '../../src/client/http/failure.js'

/** A response of the gateway as a transport reads it. */
export function response(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): TransportResponse {
  return { status, body, headers: { get: (name) => headers[name] } }
}

/** The failure of an attempt that was answered with this status. */
export function answered(status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Failure {
  return { kind: 'response', response: response(status, headers, body) }
}

export const why = new Error('why')
const sent = { sent: true } as const
const unsent = { sent: false } as const
const unusable = (shows?: 'asked' | 'other', body = '{') =>
  ({
    kind: 'unusable',
    response: response(200, {}, body),
    issues: ['body: expected JSON'],
    ...(shows && { shows }),
  }) as const

/** What can end an attempt, but for a response with a status alone; its tables go by these names. */
export const failures = {
  'no connection': { kind: 'connection', ...unsent, cause: why },
  'broken connection': { kind: 'connection', ...sent, cause: why },
  'no time before': { kind: 'timeout', ...unsent },
  'no response': { kind: 'timeout', ...sent },
  'no time to wait': { kind: 'deadline', ...unsent, while: 'waiting for a permit' },
  'no time on the wire': { kind: 'deadline', ...sent, while: 'waiting for the response' },
  'aborted before': { kind: 'aborted', ...unsent, cause: why },
  'aborted on the wire': { kind: 'aborted', ...sent, cause: why },
  unusable: unusable(),
  'unusable page': unusable(undefined, '\n<!doctype html>'),
  'unusable, its payment': unusable('asked'),
  'unusable, another payment': unusable('other'),
  'too large 200': { kind: 'too-large', response: response(200) },
  'too large 400': { kind: 'too-large', response: response(400) },
  'too large 409': { kind: 'too-large', response: response(409) },
  'too large 500': { kind: 'too-large', response: response(500) },
  'queue full': { kind: 'queue-full' },
  paused: { kind: 'paused', retryAfterMs: 200_000 },
  'permit expired': { kind: 'permit-expired' },
  closed: { kind: 'closed' },
  withheld: { kind: 'withheld', why: 'x', advice: 'y', option: 'live' },
  'undici missing': {
    kind: 'unloadable',
    cause: Object.assign(new Error('why'), { code: 'ERR_MODULE_NOT_FOUND' }),
  },
  'undici broken': { kind: 'unloadable', cause: why },
  limiter: { kind: 'limiter', cause: why },
  'limiter store': {
    kind: 'limiter',
    cause: Object.assign(new Error('why'), { name: 'RateLimitStoreError' }),
  },
  signer: { kind: 'signing', cause: why },
  'no token': { kind: 'no-token', fields: ['ticket', 'kind'] },
  'long token': { kind: 'no-token', fields: ['token'], tooLong: true },
} satisfies Record<string, Failure>

/** Of a name above, or of the number of a status. */
export function failureOf(name: string): Failure {
  const found = Object.entries(failures).find(([one]) => one === name)
  return found === undefined ? answered(Number(name)) : found[1]
}

/** The rows of a table that is written as text, a line each, with bars between its cells. */
export function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
}
