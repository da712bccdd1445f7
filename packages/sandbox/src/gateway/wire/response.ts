import type { RefusalCode } from './refusal-fixes.js'

/**
 * How much of a response leaves: all of it (`whole`); nothing, and the connection is reset (`drop`); headers and
 * half of the body, and then the connection ends (`cut-body`) or stays open without another byte
 * (`stall-body`); nothing at all, on an open connection (`stall`).
 */
export type Ending = 'whole' | 'drop' | 'cut-body' | 'stall-body' | 'stall'

export interface GatewayResponse {
  readonly status: number
  /** Anything that JSON can carry; a string goes out as it is, with the content type in `headers`. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly ending?: Ending
  /** Why the request is refused. The option `errorFormat` decides how the body says it. */
  readonly refusal?: { readonly code: string; readonly message: string } | undefined
  /** `OK`, or the code that the error body carries; it goes into the log. */
  readonly verdict: string
  /** The access token that the body carries; only in the response to a token request. */
  readonly mintedToken?: string
}

/** The statuses of responses without a body. */
export const bodiless = new Set([204, 205, 304])

export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly ending: Ending
}

/** A request that the gateway refuses. Checks throw it, and the engine makes a response of it. */
export class Refusal extends Error {
  readonly status: number
  readonly code: RefusalCode
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: RefusalCode, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

export function ok(body: unknown): GatewayResponse {
  return { status: 200, body, verdict: 'OK' }
}

export function refused(
  status: number,
  code: RefusalCode,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): GatewayResponse {
  return { status, body: { code, message }, refusal: { code, message }, headers, verdict: code }
}

/**
 * What the body of a refusal is, a gap of section 7: `{ code, message }`, a list of errors with `code` and
 * `detail`, or nothing.
 */
export type ErrorFormat = 'code' | 'errors' | 'none'

/** Body and headers in the given error format. Of a refusal in the format `none` only Retry-After goes out. */
export function formatted(
  response: GatewayResponse,
  format: ErrorFormat,
): Pick<GatewayResponse, 'body' | 'headers'> {
  const { refusal, body, headers = {} } = response
  if (refusal === undefined) return { body, headers }
  const { code, message } = refusal
  if (format === 'code') return { body: { code, message }, headers }
  if (format === 'errors') return { body: { errors: [{ code, detail: message }] }, headers }
  const { 'retry-after': retryAfter } = headers
  return { body: '', headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter } }
}
