/** Request headers as node:http gives them: lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** One request as the engine sees it, whichever way it came in. */
export interface EngineRequest {
  readonly method: string
  /** Path and query exactly as sent: nothing decoded, nothing normalised. */
  readonly path: string
  readonly headers: RequestHeaders
  readonly body: Uint8Array
  /** The body was longer than the limit and was not read to its end. */
  readonly oversized?: boolean
}

/**
 * How an answer leaves: whole; not at all, with the connection reset; its headers and half of its body
 * and then the end of the connection; the same and then silence; or silence from the start.
 */
export type Ending = 'whole' | 'drop' | 'cut-body' | 'stall-body' | 'stall'

/** What the gateway decided about a request. */
export interface Answer {
  readonly status: number
  /** Anything that JSON can carry; a string goes out as it is, with the content type in `headers`. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly ending?: Ending
  /** Why it is a no. How that is written into the body, the engine says. */
  readonly refusal?: { readonly code: string; readonly message: string } | undefined
  /** `OK`, or the code that the error body carries; it goes into the log. */
  readonly verdict: string
  /** The access token that the body carries. */
  readonly minted?: string
}

/** What a transport has to put on its wire. */
export interface EngineReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly ending: Ending
}

/** A request that the gateway refuses. Thrown by checks, turned into an answer by the engine. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** An answer that says yes. */
export function ok(body: unknown, status = 200): Answer {
  return { status, body, verdict: 'OK' }
}

/** An answer that says no. */
export function refused(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, body: { code, message }, refusal: { code, message }, headers, verdict: code }
}

/** The one value of a header, or undefined when it is absent. */
export function header(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.join(', ')
}

/** A JSON object and not an array or null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
