import type { WatchedAttempt } from '../observe/watched-attempt.js'
import { inspectShape, isUsable } from '../schemas/shape.js'
import { within } from './abortable-wait.js'
import { attemptEnd, retryReason } from './attempt-outcome.js'
import { type AttemptParts, endOf, keepSecret, type Progress, remainingMs } from './attempt-parts.js'
import type { Answer, Call, Question } from './call.js'
import { AttemptFailed, type Shown, type TransportResponse } from './failure.js'
import type { Sent } from './limit/spacing.js'
import { isOvergrown, parseJson } from './parse-json.js'
import type { Headers } from './request-headers.js'
import { rememberResponse } from './response-info.js'
import { secretsOf } from './secrets-of.js'
import { isTransportFailure, type TransportFailure, type TransportRequest } from './transport/transport.js'

/** What a request that has its permit was waiting for, and the token that it may carry now. */
export interface Asked {
  readonly token: string | undefined
  /** When the attempt began, on the monotonic clock. */
  readonly askedAt: number
  readonly waitedForTokenMs: number
}

/** What follows the permit: send, read, and tell of it. */
export async function requestAnswer<Scope, T>(
  parts: AttemptParts<Scope>,
  call: Call<Scope, T>,
  progress: Progress,
  { token, askedAt, waitedForTokenMs }: Asked,
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
  if (progress.token !== undefined && progress.token !== token) keepSecret(progress, progress.token)
  progress.token = token
  progress.attempts++
  const watched = call.watched?.attempt({
    number: progress.attempts,
    route: call.routeTemplate ?? call.route,
    retryReason: progress.lastFailure && retryReason(progress.lastFailure),
    waitedForTokenMs,
    waitedForPermitMs,
  })
  let sent: Sent | undefined
  const onSent = () => {
    sent ??= budget.sent()
    return sent
  }
  try {
    const came = await send(parts, call, progress, { permittedAt, watched, onSent })
    if (isTransportFailure(came)) throw failed(came, progress, permittedAt)
    budget.answered(onSent(), came, parts.now)
    if (scope !== undefined && token !== undefined && came.status === 401) tokens.drop(scope, token)
    const answer = read(parts, call, progress, came)
    watched?.end({ status: came.status, outcome: 'answered' })
    return answer
  } catch (error) {
    if (watched !== undefined && error instanceof AttemptFailed) watched.end(attemptEnd(error.failure))
    throw error
  } finally {
    onSent()
  }
}

interface Sending {
  readonly permittedAt: number
  readonly watched: WatchedAttempt | undefined
  readonly onSent: () => void
}

function send<Scope>(
  parts: AttemptParts<Scope>,
  call: Question<Scope>,
  progress: Progress,
  sending: Sending,
): Promise<TransportResponse | TransportFailure> {
  const { body, prepare, options } = call
  let headers = parts.headers.get(progress.token, body !== undefined || prepare !== undefined)
  if (sending.watched !== undefined) headers = { ...sending.watched.headers, ...headers }
  if (prepare === undefined) return write(parts, call, progress, sending, headers, body)
  // Signed after the permit: a signature holds the time, and the queue may have taken minutes.
  const signed = within(prepare(), {
    ms: Math.min(progress.timeoutMs, remainingMs(progress)),
    signal: options?.signal,
    closing: parts.closing,
    late: { kind: 'timeout', sent: false },
  })
  return signed.then((made) => {
    for (const value of Object.values(made.headers)) {
      keepSecret(progress, value)
      parts.headers.signed(value)
    }
    return write(parts, call, progress, sending, { ...headers, ...made.headers }, made.body)
  })
}

function write<Scope>(
  { wire, basePath }: AttemptParts<Scope>,
  { method, path, options }: Question<Scope>,
  progress: Progress,
  { permittedAt, watched, onSent }: Sending,
  headers: Headers,
  body: TransportRequest['body'],
): Promise<TransportResponse | TransportFailure> {
  const attemptLeftMs = permittedAt + progress.timeoutMs - performance.now()
  const request: TransportRequest = {
    method,
    path: basePath + path,
    headers,
    body,
    timeoutMs: Math.max(0, Math.min(attemptLeftMs, remainingMs(progress))),
    signal: options?.signal,
    onSent,
  }
  return watched === undefined ? wire.send(request) : watched.run(() => wire.send(request))
}

/** A time-out is the call's when its deadline comes before the end of the attempt's own time. */
function failed(came: TransportFailure, progress: Progress, permittedAt: number): AttemptFailed {
  const late = came.kind === 'timeout' && endOf(progress) < permittedAt + progress.timeoutMs
  return new AttemptFailed(late ? { ...came, kind: 'deadline', while: 'waiting for the answer' } : came)
}

function read<Scope, T>(
  { observer }: AttemptParts<Scope>,
  call: Call<Scope, T>,
  progress: Progress,
  response: TransportResponse,
): Answer<T> {
  const { status, body } = response
  if (status === call.alsoAnswer) {
    const secrets = () => secretsOf({ ...call, ...progress })
    return { ...answer<T>(call, response, undefined, progress), secrets }
  }
  if (status < 200 || status > 299) throw new AttemptFailed({ kind: 'response', response: excerpt(response) })
  if (body === '' && call.allowEmpty === true) return answer<T>(call, response, undefined, progress)
  const json = parseJson(body)
  const value = json === undefined ? call.readText?.(body) : json
  if (value === undefined) throw unusable(response, [notJson(response)], 'nothing')
  const report = inspectShape(call.shape, value)
  if (!isUsable(call.shape, value, report)) {
    throw unusable(response, report?.unusable ?? [], call.identify?.(value).shows)
  }
  if (report !== undefined) observer.drift(call.routeTemplate ?? call.route, report.drift)
  const { shows, issue } = call.identify?.(value) ?? {}
  if (issue !== undefined) throw unusable(response, [issue], shows)
  return answer(call, response, value, progress)
}

function unusable(
  response: TransportResponse,
  issues: readonly string[],
  shows: Shown = 'nothing',
): AttemptFailed {
  response.discard?.()
  return new AttemptFailed({ kind: 'unusable', response: excerpt(response), issues, shows })
}

/** The fetch that was handed in may decode; undici doesn't. */
function notJson({ headers, body }: TransportResponse): string {
  if (isOvergrown(body)) return 'body: nested too deeply, or of too many parts'
  const encoded = (headers.get('content-encoding') ?? 'identity').toLowerCase() !== 'identity'
  return encoded
    ? 'body: expected JSON, and came encoded (content-encoding) although identity was asked for'
    : 'body: expected JSON'
}

/** What an error shows of a body is at its start, and it is parsed again for it. */
const longestExcerpt = 65_536

function excerpt(response: TransportResponse): TransportResponse {
  return response.body.length <= longestExcerpt
    ? response
    : { ...response, body: response.body.slice(0, longestExcerpt) }
}

function answer<T>(
  call: Question<unknown>,
  response: TransportResponse,
  value: T | undefined,
  progress: Progress,
): Answer<T> {
  const { status, headers } = response
  const { attempts, evidence, startedAt } = progress
  if (typeof value === 'object' && value !== null) rememberResponse(value, response, progress, call)
  return { status, value, headers, attempts, evidence, startedAt }
}
