import type { GatewayErrorDetails } from '../errors.js'
import { jsonOf } from '../input/values.js'
import { parse } from '../input/zod.js'
import type { Observer } from '../observe/observer.js'
import { hiding, mask, shownHeaders } from '../redact.js'
import { labelOf } from '../routes.js'
import { inspectShape, isUsable } from '../schemas/shape.js'
import type { Attempts, Call } from './call.js'
import type { Failure, ResponseHeaders, Shown, TransportResponse } from './failure.js'
import { type RefusalDetails, readRefusal } from './refusal.js'
import type { GatewayRequest, GatewayResponse } from './request.js'
import { secretsOf } from './secrets.js'

export function readResponse<T>(
  observer: Observer,
  call: Call,
  request: GatewayRequest<T>,
  attempts: Attempts,
  response: TransportResponse,
): GatewayResponse<T> | Failure {
  const { status, headers, body } = response
  const empty = { status, headers, attempts: attempts.count, value: undefined }
  if (status === request.alsoResponse) return { ...empty, refusal: response }
  if (status < 200 || status > 299) return { kind: 'response', response }
  if (body === '' && request.shape.mayBeEmpty === true) return empty
  const json = jsonOf(body)
  const found = json === undefined ? request.shape.fromText?.(body) : json
  if (found === undefined) return unusable(response, [notJson(response)], 'nothing')
  let drift: readonly string[] = []
  const identity = request.identify?.(found)
  const parsed = parse(request.shape.schema, found)
  let value: T
  if (parsed.success) value = parsed.data
  else {
    const report = inspectShape(request.shape, found)
    if (!isUsable(request.shape, found, report)) {
      return unusable(response, report?.unusable ?? [], identity?.shows)
    }
    drift = report?.drift ?? []
    value = found
  }
  if (identity?.lacks !== undefined) drift = [...drift, identity.lacks]
  if (drift.length > 0) observer.drift(labelOf(request.route), drift)
  if (identity?.issue !== undefined) return unusable(response, [identity.issue], identity.shows)
  if (typeof value === 'object' && value !== null) rememberResponse(value, response, call, attempts)
  return { ...empty, value }
}

function unusable(response: TransportResponse, issues: readonly string[], shows: Shown = 'nothing'): Failure {
  response.discard?.()
  return { kind: 'unusable', response, issues, shows }
}

/** The fetch that was handed in may decode; undici doesn't. */
function notJson({ headers }: TransportResponse): string {
  const encoded = (headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity'
  return encoded
    ? 'body: expected JSON, and came encoded (content-encoding) although identity was asked for'
    : 'body: expected JSON'
}

export function refusalDetails(
  { refusal }: GatewayResponse<unknown>,
  call: Call,
  ids: GatewayErrorDetails,
): { readonly quoted: string; readonly details: Pick<RefusalDetails, 'body' | 'gatewayMessage'> } {
  if (refusal === undefined) return { quoted: '', details: {} }
  const { said, details } = readRefusal(refusal, {}, hiding(secretsOf(call)), ids)
  const { status: _status, headers: _headers, ...shown } = details
  return { quoted: said === undefined ? '' : ` ("${said}")`, details: shown }
}

/**
 * The response that a result came from. Durations are in milliseconds. Of a create that found its payment
 * there (`replayed`) it is the response to the lookup; `durationMs` is the whole call's, the other figures
 * are the lookup's.
 */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number
  /** Those that hold nothing of the merchant's or the customer's (an allow-list), by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** `x-request-id` or `x-correlation-id`, where the gateway sends one that may be shown. */
  readonly requestId?: string
  /** How many requests it took, this one included. */
  readonly attempts: number
  /** From the call to this response, every wait and retry included. */
  readonly durationMs: number
  /** From the last permit to the last byte of this response. */
  readonly lastAttemptMs: number
  /** Of `durationMs`, what was spent waiting for permits. */
  readonly waitedForPermitMs: number
  /** Of `durationMs`, what was spent waiting for tokens. */
  readonly waitedForTokenMs: number
}

/**
 * The response that a result of the client came from: of `create`, `retrieve`, `waitFor`, `watch`,
 * `request` and all others that resolve to an object. A copy of a result (`{ ...payin }`,
 * `structuredClone`) has none.
 *
 * @example
 * const payout = await client.payouts.retrieve(idPayout)
 * console.log(responseOf(payout)?.requestId)
 */
export function responseOf(result: unknown): ResponseInfo | undefined {
  const facts = factsOf(result)
  return facts && infoOf(facts)
}

/** What a call resolved to, and the response that it came from. */
export interface WithResponse<T> {
  /** What the call resolved to. */
  readonly data: T
  /** The response; undefined where there is none, as for a call that resolves to no object. */
  readonly response: ResponseInfo | undefined
}

/**
 * A call's result together with the response that it came from, for code that copies results and so
 * loses what {@link responseOf} reads. Rejects as the call does.
 *
 * @example
 * const { data, response } = await withResponse(client.payouts.retrieve(idPayout))
 * console.log(data.process?.status, response?.requestId)
 */
export async function withResponse<T>(call: Promise<T>): Promise<WithResponse<T>> {
  const data = await call
  return { data, response: responseOf(data) }
}

/** Kept small: it lives as long as the result, and most results are never asked about. */
interface Facts
  extends Pick<Attempts, 'count' | 'waitedForTokenMs' | 'waitedForPermitMs' | 'permittedAt'>,
    Pick<Call, 'requests' | 'sent' | 'known'> {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly startedAt: number
  readonly endedAt: number
}

const remembered = new WeakMap<object, Facts>()

function factsOf(result: unknown): Facts | undefined {
  return typeof result === 'object' && result !== null ? remembered.get(result) : undefined
}

function rememberResponse(
  result: object,
  { status, headers }: TransportResponse,
  { limits: { startedAt }, requests, sent, known }: Call,
  { count, waitedForTokenMs, waitedForPermitMs, permittedAt }: Attempts,
): void {
  const endedAt = performance.now()
  // Field by field: the attempts also hold the last failed response, which may be large, and the call its signal.
  const timing = { startedAt, endedAt, permittedAt, waitedForTokenMs, waitedForPermitMs }
  remembered.set(result, { status, headers, count, ...timing, requests, sent, known })
}

export function carryResponse<T>(from: unknown, result: T): T {
  const facts = factsOf(from)
  if (facts !== undefined && typeof result === 'object' && result !== null) remembered.set(result, facts)
  return result
}

function infoOf(facts: Facts): ResponseInfo {
  const { status, startedAt, endedAt, waitedForPermitMs, waitedForTokenMs } = facts
  const headers = shownHeaders(facts.headers, hiding(secretsOf(facts)))
  const ids = [headers['x-request-id'], headers['x-correlation-id']]
  const requestId = ids.find((id) => id !== undefined && id !== mask)
  return {
    status,
    headers,
    ...(requestId === undefined ? {} : { requestId }),
    attempts: facts.count,
    durationMs: endedAt - startedAt,
    lastAttemptMs: endedAt - facts.permittedAt,
    waitedForPermitMs,
    waitedForTokenMs,
  }
}
