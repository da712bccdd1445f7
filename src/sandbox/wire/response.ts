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

/**
 * What the body of a refusal is, a gap of section 7: `{ code, message }`, a list of errors with `code` and
 * `detail`, or nothing.
 */
export type ErrorFormat = 'code' | 'errors' | 'none'

/** What goes out of an answer. Where errors say nothing, their headers say only when to come again. */
export function shown(answer: Answer, format: ErrorFormat): Pick<Answer, 'body' | 'headers'> {
  const { refusal, body, headers = {} } = answer
  if (refusal === undefined) return { body, headers }
  const { code, message } = refusal
  if (format === 'code') return { body: { code, message }, headers }
  if (format === 'errors') return { body: { errors: [{ code, detail: message }] }, headers }
  const { 'retry-after': again } = headers
  return { body: '', headers: again === undefined ? {} : { 'retry-after': again } }
}
