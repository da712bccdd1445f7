import type { Ending } from '../input/wait.js'
import type { AddedHeaders } from '../observe/added-headers.js'
import type { Observer } from '../observe/observer.js'
import type { AttemptFacts } from '../observe/watched-call.js'
import { within } from './abortable-wait.js'
import type { Attempts, Call, CallLimits } from './call.js'
import { type Failure, givenUp, isFailure } from './failure.js'
import type { Priority } from './limit/limiter.js'
import type { Granted, PermitQueue } from './limit/queue.js'
import type { Sent } from './limit/send-window.js'
import { attemptEnd, retryReason } from './outcome.js'
import type { GatewayRequest, GatewayResponse, TokenRefusal } from './request.js'
import { readResponse } from './response.js'
import type { LazyTransport, Transport, TransportRequest } from './transport/transport.js'

/** What every request of a client goes through. */
export interface HttpParts {
  readonly transport: LazyTransport
  readonly permits: PermitQueue
  readonly headers: {
    get(token: string | undefined, withBody: boolean): Readonly<Record<string, string>>
  }
  readonly observer: Observer
  readonly basePath: string
  readonly closing: Ending
  readonly now: () => number
  /** Requests that must not be sent any more, by the name of their route: what the client has learnt since calls began says so. */
  readonly withheld: ReadonlyMap<string, Failure>
}

/** One attempt: what sends it, token, permit, and then the request. What to do after a failure is not decided here. */
export async function attempt<T>(
  parts: HttpParts,
  call: Call,
  request: GatewayRequest<T>,
  attempts: Attempts,
): Promise<GatewayResponse<T> | Failure> {
  const { permits } = parts
  const transport = await loadTransport(parts, call)
  if (isFailure(transport)) return transport
  const turn = await takeTurn(parts, call, request)
  if (isFailure(turn)) return turn
  let sent: Sent | undefined
  const onSent = () => {
    if (sent === undefined) call.limits.onSent?.()
    sent ??= permits.sent()
    return sent
  }
  try {
    const withheld = parts.withheld.get(request.route.name)
    if (withheld !== undefined) return withheld
    const facts = begin(call, request, attempts, turn)
    const content = await prepare(parts, call, request, attempts, turn.token)
    const sending = (added?: AddedHeaders) =>
      isFailure(content)
        ? Promise.resolve(content)
        : exchange({ parts, call, request, attempts, turn, transport, content, onSent }, added)
    return await (call.watched?.attempt(facts, sending, attemptEnd) ?? sending())
  } finally {
    // A permit that nothing was sent with is given back.
    sent ??= permits.sent()
  }
}

/** Undici is loaded with the first request that needs it. */
async function loadTransport(parts: HttpParts, call: Call): Promise<Transport | Failure> {
  const { closing, transport } = parts
  const { signal, timeoutMs } = call.limits
  return (
    givenUp({ signal, closing }) ??
    transport.loaded ??
    (await waitWithin(parts, call, transport.load(), timeoutMs))
  )
}

/** From here on it counts as an attempt. */
function begin(
  call: Call,
  request: GatewayRequest<unknown>,
  attempts: Attempts,
  { token, permit, waitedForTokenMs, waitedForPermitMs }: Turn,
): AttemptFacts {
  attempts.count++
  attempts.permittedAt = permit.at
  attempts.waitedForTokenMs += waitedForTokenMs
  attempts.waitedForPermitMs += waitedForPermitMs
  if (token !== undefined) call.sends(token)
  return {
    route: request.route,
    permittedAt: permit.at,
    number: attempts.count,
    retryReason: attempts.lastFailure && retryReason(attempts.lastFailure),
    waitedForTokenMs,
    waitedForPermitMs,
  }
}

type Content = Pick<TransportRequest, 'headers' | 'body'>

/** Headers and body. Signed after the permit: a signature holds the time, and the queue may have taken minutes. */
async function prepare(
  parts: HttpParts,
  call: Call,
  { body }: GatewayRequest<unknown>,
  { lastFailure }: Attempts,
  token: string | undefined,
): Promise<Content | Failure> {
  const common = parts.headers.get(token, body !== undefined)
  if (typeof body !== 'function') return { headers: common, body }
  const signed = await waitWithin(parts, call, body(lastFailure), call.limits.timeoutMs)
  if (isFailure(signed)) return signed
  for (const value of Object.values(signed.headers)) call.sends(value)
  return { headers: { ...common, ...signed.headers }, body: signed.body }
}

interface Exchange<T> {
  readonly parts: HttpParts
  readonly call: Call
  readonly request: GatewayRequest<T>
  readonly attempts: Attempts
  readonly turn: Turn
  readonly transport: Transport
  readonly content: Content
  readonly onSent: () => Sent
}

/**
 * The request goes out, and its response is read: the limiter and the token keeper learn from it.
 *
 * @param added headers of whoever watches.
 */
async function exchange<T>(
  { parts, call, request, attempts, turn, transport, content, onSent }: Exchange<T>,
  added?: AddedHeaders,
): Promise<GatewayResponse<T> | Failure> {
  const { permits, now } = parts
  const { signal, timeoutMs } = call.limits
  const { permit, token } = turn
  const endsAt = permit.at + timeoutMs
  const outgoing: TransportRequest = {
    method: request.route.method,
    path: parts.basePath + request.path,
    // The same object for as long as the token is the same: see RequestHeaders.
    headers: added === undefined ? content.headers : { ...added, ...content.headers },
    body: content.body,
    timeoutMs: Math.max(0, Math.min(endsAt - performance.now(), call.remainingMs)),
    signal,
    freshConnection: request.connection === 'new',
    mayBegin: () => permits.isGood(permit),
    onSent,
  }
  const received = await transport.send(outgoing)
  if (isFailure(received)) {
    // Nothing was sent with a permit that came too late.
    if (received.kind === 'permit-expired') attempts.count--
    return timeoutOrDeadline(call, received, endsAt)
  }
  permits.answered(onSent(), received, now, call.remainingMs)
  attempts.refusal = token === undefined ? undefined : tokenRefusal(request, token, received.status)
  return readResponse(parts.observer, call, request, attempts, received)
}

/** What an attempt goes out with. */
interface Turn {
  readonly token: string | undefined
  readonly permit: Granted
  readonly waitedForTokenMs: number
  readonly waitedForPermitMs: number
}

/** Waits for the token and then for the permit, which is the last thing before the wire. */
async function takeTurn(
  parts: HttpParts,
  call: Call,
  request: GatewayRequest<unknown>,
): Promise<Turn | Failure> {
  const { token: source, route, flow = route.name } = request
  const { signal, retries } = call.limits
  let waitedForTokenMs = 0
  let waitedForPermitMs = 0
  for (let priority = priorityOf(request, call.limits); ; priority = 'token') {
    let token = source?.fresh()
    let isKept = token !== undefined
    if (source !== undefined && token === undefined) {
      const missedAt = performance.now()
      const minted = await source.mint({ ms: call.remainingMs, retries, signal, closing: parts.closing })
      if (isFailure(minted)) return minted
      waitedForTokenMs += performance.now() - missedAt
      token = minted
      // One that seems to have expired when it comes is used all the same: the gateway's clock decides.
      isKept = source.fresh() !== undefined
    }
    const askedAt = performance.now()
    const permit = await takePermit(parts, call, priority, flow)
    if (isFailure(permit)) return permit
    waitedForPermitMs += Math.max(0, permit.at - askedAt)
    // The queue may have taken minutes, and somebody may have replaced the token meanwhile.
    if (isKept) token = source?.fresh()
    if (token !== undefined || source === undefined) {
      return { token, permit, waitedForTokenMs, waitedForPermitMs }
    }
    // It expired in the queue. Another one is minted, and this request then waits with the priority of tokens.
    parts.permits.sent()
  }
}

/** What a response says of the token that its request had. */
function tokenRefusal(
  { token: tokens, alsoResponse, retryNotFound }: GatewayRequest<unknown>,
  token: string,
  status: number,
): TokenRefusal {
  if ((status >= 200 && status <= 299) || status === alsoResponse) tokens?.worked(token)
  // A payment that a 409 has just proved to exist may not be shown yet.
  else if (status !== 404 || retryNotFound !== true) return tokens?.refused(token, status)
  return undefined
}

export function priorityOf(
  { priority }: Pick<GatewayRequest<unknown>, 'priority'>,
  { isBackground }: CallLimits,
): Priority {
  return isBackground === true && priority !== 'token' ? 'background' : priority
}

function takePermit(
  { permits }: Pick<HttpParts, 'permits'>,
  call: Call,
  priority: Priority,
  flow: string,
): Promise<Granted | Failure> {
  const { signal, joined, startedAt: since } = call.limits
  const taken = permits.take({ priority, flow, since, signal, remainingMs: call.remainingMs })
  if (joined === undefined) return taken
  // Whoever has joined it meanwhile may have given it more time.
  return taken.then((result) =>
    isFailure(result) && result.kind === 'deadline' && call.remainingMs > 0
      ? takePermit({ permits }, call, priority, flow)
      : result,
  )
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

/** A timeout is the call's deadline when that comes before the end of the attempt's own time. */
function timeoutOrDeadline<F extends Failure>(call: Call, failure: F, attemptEndsAt: number): Failure {
  return failure.kind === 'timeout' && call.endAt < attemptEndsAt
    ? { kind: 'deadline', sent: failure.sent, while: 'waiting for the response' }
    : failure
}
