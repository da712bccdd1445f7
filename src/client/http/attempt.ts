import type { Lane } from '../observe/events.js'
import type { Observer } from '../observe/observer.js'
import { type Closing, within } from './abortable-wait.js'
import type { Attempts, Call, CallLimits } from './call.js'
import { type Failure, givenUp, isFailure } from './failure.js'
import type { Granted, PermitQueue } from './limit/queue.js'
import type { Sent } from './limit/spacing.js'
import { attemptEnd, retryReason } from './outcome.js'
import type { GatewayRequest, GatewayResponse, SignedBody, TokenRefusal, TokenSource } from './request.js'
import { readResponse } from './response.js'
import type { LazyTransport, TransportRequest } from './transport/transport.js'

/** What every request of a client goes through. */
export interface HttpParts {
  readonly transport: LazyTransport
  readonly permits: PermitQueue
  readonly headers: {
    get(token: string | undefined, withBody: boolean): Readonly<Record<string, string>>
  }
  readonly observer: Observer
  readonly basePath: string
  readonly closing: Closing
  readonly now: () => number
  /** Requests that must not be sent any more, by their route: what the client has learnt since calls began says so. */
  readonly withheld: ReadonlyMap<string, Failure>
}

/** One attempt: what sends it, token, connection, permit, and then the request. What to do after a failure is not decided here. */
export async function attempt<T>(
  parts: HttpParts,
  call: Call,
  request: GatewayRequest<T>,
  attempts: Attempts,
): Promise<GatewayResponse<T> | Failure> {
  const { permits, closing } = parts
  const { signal, timeoutMs } = call.limits
  const ended = givenUp({ signal, closing })
  if (ended !== undefined) return ended

  const transport =
    parts.transport.loaded ?? (await waitWithin(parts, call, parts.transport.load(), timeoutMs))
  if (isFailure(transport)) return transport

  let waitedForTokenMs = 0
  let token: string | Failure | undefined = request.token?.fresh()
  let isKept = token !== undefined
  if (request.token !== undefined && token === undefined) {
    const missedAt = performance.now()
    token = await mint(parts, call, request.token)
    if (isFailure(token)) return token
    waitedForTokenMs = performance.now() - missedAt
    // One that seems to have expired when it comes is used all the same: the gateway's clock decides.
    isKept = request.token.fresh() !== undefined
  }

  let askedAt = performance.now()
  const again = attempts.permittedAt > 0
  let permit = await takePermit(parts, call, laneOf(request, call.limits), again)
  if (isFailure(permit)) return permit

  // The queue may have taken minutes, and somebody may have replaced the token meanwhile.
  if (request.token !== undefined && isKept) {
    token = request.token.fresh()
    if (token === undefined) {
      // It expired in the queue. Another one is minted, and this request then waits in the lane of tokens.
      permits.sent()
      const expiredAt = performance.now()
      token = await mint(parts, call, request.token)
      if (isFailure(token)) return token
      const mintedMs = performance.now() - expiredAt
      waitedForTokenMs += mintedMs
      askedAt += mintedMs
      permit = await takePermit(parts, call, 'token', again)
      if (isFailure(permit)) return permit
    }
  }

  const withheld = parts.withheld.get(request.route)
  if (withheld !== undefined) {
    permits.sent()
    return withheld
  }

  const permittedAt = permit.at
  const waitedForPermitMs = Math.max(0, permittedAt - askedAt)
  attempts.count++
  attempts.permittedAt = permittedAt
  attempts.waitedForTokenMs += waitedForTokenMs
  attempts.waitedForPermitMs += waitedForPermitMs
  if (token !== undefined) call.sends(token)
  const watched = call.watched?.attempt({
    number: attempts.count,
    route: request.routeTemplate ?? request.route,
    retryReason: attempts.lastFailure && retryReason(attempts.lastFailure),
    waitedForTokenMs,
    waitedForPermitMs,
  })
  const mayBegin = () => permits.isGood(permit)
  let sent: Sent | undefined
  const onSent = () => {
    if (sent === undefined) call.limits.onSent?.()
    sent ??= permits.sent()
    return sent
  }
  try {
    // Signed after the permit: a signature holds the time, and the queue may have taken minutes.
    const signed = request.sign && (await sign(parts, call, request.sign(attempts.lastFailure)))
    if (isFailure(signed)) {
      watched?.end(attemptEnd(signed))
      return signed
    }
    const body = signed?.body ?? request.body
    const common = parts.headers.get(token, body !== undefined)
    // The same object for as long as the token is the same: see RequestHeaders.
    const headers =
      watched === undefined && signed === undefined
        ? common
        : { ...watched?.headers, ...common, ...signed?.headers }
    const leftMs = Math.min(permittedAt + timeoutMs - performance.now(), call.remainingMs)
    const outgoing: TransportRequest = {
      method: request.method,
      path: parts.basePath + request.path,
      headers,
      body,
      timeoutMs: Math.max(0, leftMs),
      signal,
      freshConnection: request.freshConnection ?? false,
      mayBegin,
      onSent,
    }
    const answer = await (watched?.run(() => transport.send(outgoing)) ?? transport.send(outgoing))
    if (isFailure(answer)) {
      if (answer.kind === 'permit-expired') attempts.count--
      const failure = timeoutOrDeadline(call, answer, permittedAt + timeoutMs)
      watched?.end(attemptEnd(failure))
      return failure
    }
    permits.answered(onSent(), answer, parts.now, call.remainingMs)
    attempts.refusal = token === undefined ? undefined : tokenRefusal(request, token, answer.status)
    const response = readResponse(parts.observer, call, request, attempts, answer)
    watched?.end(isFailure(response) ? attemptEnd(response) : { status: answer.status, outcome: 'answered' })
    return response
  } finally {
    sent ??= permits.sent()
  }
}

/** What a response says of the token that its request had. */
function tokenRefusal(
  { token: tokens, alsoAnswer, retryNotFound }: GatewayRequest<unknown>,
  token: string,
  status: number,
): TokenRefusal {
  if ((status >= 200 && status <= 299) || status === alsoAnswer) tokens?.worked(token)
  // A payment that a 409 has just proved to exist may not be shown yet.
  else if (status !== 404 || retryNotFound !== true) return tokens?.refused(token, status)
  return undefined
}

export function laneOf({ lane }: Pick<GatewayRequest<unknown>, 'lane'>, { isBulk }: CallLimits): Lane {
  return isBulk === true && lane !== 'token' ? 'bulk' : lane
}

function takePermit(
  { permits }: Pick<HttpParts, 'permits'>,
  call: Call,
  lane: Lane,
  again: boolean,
): Promise<Granted | Failure> {
  const { signal, joined } = call.limits
  const taken = permits.take(lane, { signal, remainingMs: call.remainingMs, again })
  if (joined === undefined) return taken
  // Whoever has joined it meanwhile may have given it more time.
  return taken.then((result) =>
    isFailure(result) && result.kind === 'deadline' && call.remainingMs > 0
      ? takePermit({ permits }, call, lane, true)
      : result,
  )
}

function mint({ closing }: HttpParts, call: Call, token: TokenSource): Promise<string | Failure> {
  const { signal, retries } = call.limits
  return token.mint({ ms: call.remainingMs, retries, signal, closing })
}

function waitWithin<T>(
  { closing }: HttpParts,
  call: Call,
  made: Promise<T>,
  ms: number,
): Promise<T | Failure> {
  const { signal } = call.limits
  const late: Failure = { kind: 'timeout', sent: false }
  return within(made, { ms: Math.min(ms, call.remainingMs), signal, closing, late })
}

async function sign(
  parts: HttpParts,
  call: Call,
  signing: Promise<SignedBody | Failure>,
): Promise<SignedBody | Failure> {
  const signed = await waitWithin(parts, call, signing, call.limits.timeoutMs)
  if (isFailure(signed)) return signed
  for (const value of Object.values(signed.headers)) call.sends(value)
  return signed
}

/** A timeout is the call's deadline when that comes before the end of the attempt's own time. */
function timeoutOrDeadline<F extends Failure>(call: Call, failure: F, attemptEndsAt: number): Failure {
  return failure.kind === 'timeout' && call.endAt < attemptEndsAt
    ? { kind: 'deadline', sent: failure.sent, while: 'waiting for the answer' }
    : failure
}
