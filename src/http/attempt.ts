import type { Observer } from '../observe/observer.js'
import type { WatchedAttempt } from '../observe/watched-attempt.js'
import { inspectShape, isUsable } from '../schemas/shape.js'
import { attemptEnd, retryReason } from './attempt-labels.js'
import type { Budget } from './budget.js'
import type { Answer, Call, Question, TokenSource } from './call.js'
import { AttemptFailed, CallFailed, type Evidence, type Failure, type TransportResponse } from './failure.js'
import { parseJson } from './redact.js'
import type { RequestHeaders } from './request-headers.js'
import { rememberResponse, type Waits } from './response-of.js'
import type { TransportRequest, Wire } from './transport.js'
import { refuseAborted, within } from './waits.js'

/** What one call knows while it runs. A hundred thousand may wait, so what only an answer needs comes late. */
export interface Progress {
  /** On the monotonic clock. */
  readonly startedAt: number
  readonly deadlineMs: number
  readonly timeoutMs: number
  attempts: number
  evidence: Evidence
  reminted: boolean
  retryAfterMs: number | undefined
  /** The token of the last attempt, so that no message shows it. */
  token: string | undefined
  /** What the last attempt came to. */
  lastFailure: Failure | undefined
  /** There when a request has been permitted. */
  waits: Waits | undefined
}

/** What every attempt of a client goes through. */
export interface AttemptParts<Scope> {
  readonly wire: Wire
  readonly budget: Budget
  readonly tokens: TokenSource<Scope>
  readonly basePath: string
  readonly headers: RequestHeaders
  readonly observer: Observer
  /** Fires when the client is closed. */
  readonly closing: AbortSignal
}

/**
 * One attempt: token, permit, send, read. Rejects with {@link AttemptFailed} whatever goes wrong; what
 * to do then is not decided here.
 */
export async function attempt<Scope, T>(
  parts: AttemptParts<Scope>,
  call: Call<Scope, T>,
  progress: Progress,
): Promise<Answer<T>> {
  const { budget, tokens, closing } = parts
  const signal = call.options?.signal
  refuseAborted(signal)
  if (closing.aborted) throw new AttemptFailed({ kind: 'closed' })
  const { scope } = call
  const askedAt = performance.now()
  let token = scope === undefined ? undefined : tokens.fresh(scope)
  let waitedForTokenMs = 0
  if (scope !== undefined && token === undefined) {
    token = await mint(parts, scope, call, progress)
    waitedForTokenMs = performance.now() - askedAt
  }
  const waiting = budget.take(call.lane, { signal, remainingMs: remainingMs(progress) })
  if (waiting !== undefined) {
    await waiting
    // The queue may have taken minutes, and somebody may have replaced the token meanwhile.
    if (scope !== undefined) token = tokens.fresh(scope)
    if (scope !== undefined && token === undefined) {
      // It ran out. Its successor and this request go before everybody else.
      budget.sent()
      const expiredAt = performance.now()
      token = await mint(parts, scope, call, progress)
      waitedForTokenMs += performance.now() - expiredAt
      await budget.take('token', { signal, remainingMs: remainingMs(progress) })
    }
  }
  return permitted(parts, call, progress, token, { askedAt, waitedForTokenMs })
}

interface Asked {
  readonly askedAt: number
  readonly waitedForTokenMs: number
}

/** What follows the permit; a function of its own, so that whoever waits for one doesn't hold what comes later. */
async function permitted<Scope, T>(
  parts: AttemptParts<Scope>,
  call: Call<Scope, T>,
  progress: Progress,
  token: string | undefined,
  { askedAt, waitedForTokenMs }: Asked,
): Promise<Answer<T>> {
  const { budget, tokens } = parts
  const { scope } = call
  const permittedAt = performance.now()
  const waitedForPermitMs = Math.max(0, permittedAt - askedAt - waitedForTokenMs)
  const { forTokenMs = 0, forPermitMs = 0 } = progress.waits ?? {}
  progress.waits = {
    forTokenMs: forTokenMs + waitedForTokenMs,
    forPermitMs: forPermitMs + waitedForPermitMs,
    permittedAt,
  }
  progress.token = token
  progress.attempts++
  const watched = call.watched?.attempt({
    number: progress.attempts,
    route: call.routeTemplate ?? call.route,
    retryReason: progress.lastFailure && retryReason(progress.lastFailure),
    waitedForTokenMs,
    waitedForPermitMs,
  })
  let counted = false
  const onSent = () => {
    if (!counted) budget.sent()
    counted = true
  }
  try {
    const response = await send(parts, call, progress, permittedAt, watched, onSent)
    if (scope !== undefined && token !== undefined && response.status === 401) {
      tokens.drop(scope, token)
    }
    const answer = read(parts, call, progress, response)
    watched?.end({ status: response.status, outcome: 'answered' })
    return answer
  } catch (error) {
    if (watched !== undefined && error instanceof AttemptFailed) watched.end(attemptEnd(error.failure))
    throw error
  } finally {
    onSent()
  }
}

async function send<Scope>(
  { wire, basePath, closing, headers: prepared }: AttemptParts<Scope>,
  call: Question<Scope>,
  progress: Progress,
  permittedAt: number,
  watched: WatchedAttempt | undefined,
  onSent: () => void,
): Promise<TransportResponse> {
  const signal = call.options?.signal
  let body: string | Uint8Array<ArrayBuffer> | undefined = call.body
  let headers = prepared.get(progress.token, body !== undefined || call.prepare !== undefined)
  if (watched !== undefined) headers = { ...watched.headers, ...headers }
  if (call.prepare !== undefined) {
    // Signed after the permit: a signature holds the time, and the queue may have taken minutes.
    const limitMs = Math.min(progress.timeoutMs, remainingMs(progress))
    const late = { kind: 'timeout', sent: false } as const
    const signed = await within(call.prepare(), { ms: limitMs, signal, closing, late })
    body = signed.body
    headers = { ...headers, ...signed.headers }
  }
  const attemptLeftMs = progress.timeoutMs - (performance.now() - permittedAt)
  const leftMs = Math.min(attemptLeftMs, remainingMs(progress))
  const request: TransportRequest = {
    method: call.method,
    path: basePath + call.path,
    headers,
    body,
    timeoutMs: Math.max(0, leftMs),
    signal,
    onSent,
  }
  const came = await (watched === undefined ? wire.send(request) : watched.run(() => wire.send(request)))
  if (!('kind' in came)) return came
  const late = came.kind === 'timeout' && leftMs < attemptLeftMs
  throw new AttemptFailed(late ? { ...came, kind: 'deadline', while: 'waiting for the answer' } : came)
}

function read<Scope, T>(
  { observer }: AttemptParts<Scope>,
  call: Call<Scope, T>,
  progress: Progress,
  response: TransportResponse,
): Answer<T> {
  const { status, body } = response
  if (status === call.alsoAnswer) return answer<T>(response, undefined, progress)
  if (status < 200 || status > 299) throw new AttemptFailed({ kind: 'response', response })
  if (body === '' && call.allowEmpty === true) return answer<T>(response, undefined, progress)
  const value = parseJson(body)
  if (value === undefined)
    throw new AttemptFailed({ kind: 'unusable', response, issues: ['body: expected JSON'] })
  const report = inspectShape(call.shape, value)
  if (!isUsable(call.shape, value, report)) {
    throw new AttemptFailed({ kind: 'unusable', response, issues: report?.unusable ?? [] })
  }
  if (report !== undefined) observer.drift(call.route, report.drift)
  const issues = call.verify?.(value) ?? []
  if (issues.length > 0) throw new AttemptFailed({ kind: 'unusable', response, issues })
  return answer(response, value, progress)
}

async function mint<Scope>(
  { tokens, closing }: AttemptParts<Scope>,
  scope: Scope,
  call: Question<Scope>,
  progress: Progress,
): Promise<string> {
  try {
    return await tokens.mint(scope, {
      ms: remainingMs(progress),
      signal: call.options?.signal,
      closing,
      late: { kind: 'deadline', sent: false, while: 'waiting for a token' },
    })
  } catch (error) {
    // The token request has had its own retries.
    if (error instanceof CallFailed) throw new AttemptFailed({ kind: 'token', call: error.call })
    throw error
  }
}

/** What is left of the call's deadline, in milliseconds. */
export function remainingMs(progress: Progress): number {
  return Math.max(0, progress.startedAt + progress.deadlineMs - performance.now())
}

function answer<T>(response: TransportResponse, value: T | undefined, progress: Progress): Answer<T> {
  const { status, headers } = response
  const { attempts, evidence, startedAt } = progress
  if (typeof value === 'object' && value !== null) rememberResponse(value, response, progress)
  return { status, value, headers, attempts, evidence, startedAt }
}
