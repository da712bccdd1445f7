import type { ResponseHeaders, TransportResponse } from './failure.js'
import { without } from './redact.js'

/** The answer that a result came from. Durations are in milliseconds. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number
  /** Those that hold nothing of the merchant's or the customer's (an allow-list), by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** `x-request-id` or `x-correlation-id`, where the gateway sends one. */
  readonly requestId?: string
  /** How many requests it took, this one included. */
  readonly attempts: number
  /** From the call to this answer, every wait and retry included. */
  readonly durationMs: number
  /** From the last permit to the last byte of this answer. */
  readonly lastAttemptMs: number
  /** Of `durationMs`, what was spent waiting for permits. */
  readonly waitedForPermitMs: number
  /** Of `durationMs`, what was spent waiting for tokens. */
  readonly waitedForTokenMs: number
}

/**
 * The answer that a result of the client came from: of `create`, `retrieve`, `waitFor`, `watch`,
 * `request` and all others that resolve to an object. A copy of a result (`{ ...payin }`,
 * `structuredClone`) has none.
 *
 * @example
 * const payout = await client.payouts.retrieve(idPayout)
 * console.log(responseOf(payout)?.requestId)
 */
export function responseOf(result: unknown): ResponseInfo | undefined {
  const facts = typeof result === 'object' && result !== null ? remembered.get(result) : undefined
  return facts && infoOf(facts)
}

/** What the exchange knows when an answer has come. Times are on the monotonic clock. */
export interface ResponseTiming {
  readonly startedAt: number
  readonly permittedAt: number
  readonly attempts: number
  readonly waitedForTokenMs: number
  readonly waitedForPermitMs: number
  readonly token: string | undefined
}

/** As little as will do: most results are never asked about, and it lives as long as they do. */
interface Facts extends ResponseTiming {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly endedAt: number
}

const remembered = new WeakMap<object, Facts>()

/** @internal */
export function rememberResponse(
  result: object,
  { status, headers }: TransportResponse,
  { startedAt, permittedAt, attempts, waitedForTokenMs, waitedForPermitMs, token }: ResponseTiming,
): void {
  const endedAt = performance.now()
  const waits = { waitedForTokenMs, waitedForPermitMs }
  // Field by field: what is handed in also holds the last failed answer, which may be large.
  remembered.set(result, { status, headers, startedAt, permittedAt, endedAt, attempts, token, ...waits })
}

/**
 * What was made of a result comes from the same answer.
 *
 * @internal
 */
export function carryResponse<T>(from: unknown, result: T): T {
  const facts = typeof from === 'object' && from !== null ? remembered.get(from) : undefined
  if (facts !== undefined && typeof result === 'object' && result !== null) remembered.set(result, facts)
  return result
}

function infoOf({
  status,
  headers: all,
  startedAt,
  permittedAt,
  endedAt,
  token,
  ...facts
}: Facts): ResponseInfo {
  const headers = shownHeaders(all, token === undefined ? [] : [token])
  const requestId = headers['x-request-id'] ?? headers['x-correlation-id']
  return {
    status,
    headers,
    ...(requestId === undefined ? {} : { requestId }),
    durationMs: endedAt - startedAt,
    lastAttemptMs: endedAt - permittedAt,
    ...facts,
  }
}

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

/** The headers of an answer that may be shown, without values that are known to be secret. */
export function shownHeaders(headers: ResponseHeaders, secrets: readonly string[]): Record<string, string> {
  const safe: Record<string, string> = {}
  for (const name of shown) {
    const value = headers.get(name)
    if (value !== undefined) safe[name] = without(value, secrets)
  }
  return safe
}
