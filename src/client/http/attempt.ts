import type { Ending } from '../input/wait.js'
import type { Observer } from '../observe/observer.js'
import type { AddedHeaders, WatchedCall } from '../observe/watched-call.js'
import { within } from './abortable-wait.js'
import type { Attempts, Call } from './call.js'
import { type Failure, givenUp } from './failure.js'
import { jsonHeaders, plainHeaders } from './headers.js'
import type { Granted, PermitQueue } from './limit/queue.js'
import type { Sent } from './limit/send-window.js'
import { attemptEnd, retryReason } from './outcome.js'
import type { GatewayRequest, GatewayResponse } from './request.js'
import { readResponse } from './response.js'
import type { LazyTransport, Transport, TransportRequest } from './transport/transport.js'

export interface HttpParts {
  readonly transport: LazyTransport
  readonly permits: PermitQueue
  readonly observer: Observer
  readonly basePath: string
  readonly closing: Ending
  readonly now: () => number
  /** Requests that must not be sent any more, by the name of their route: what the client has learnt since calls began says so. */
  readonly withheld: ReadonlyMap<string, Failure>
}

export async function attempt<T>(
  parts: HttpParts,
  call: Call,
  request: GatewayRequest<T>,
  attempts: Attempts,
): Promise<GatewayResponse<T> | Failure> {
  const { permits } = parts
  const transport = parts.transport.loaded ?? (await loadTransport(parts, call))
  if ('kind' in transport) return transport
  const turn = await takeTurn(parts, call, request)
  if ('kind' in turn) return turn
  let sent: Sent | undefined
  const onSent = () => {
    if (sent === undefined) call.limits.onSent?.()
    sent ??= permits.sent()
    return sent
  }
  try {
    const withheld = parts.withheld.get(request.route.name)
    if (withheld !== undefined) return withheld
    attempts.count++
    attempts.permittedAt = turn.permit.at
    attempts.waitedForTokenMs += turn.waitedForTokenMs
    attempts.waitedForPermitMs += turn.waitedForPermitMs
    if (turn.token !== undefined) remember(call, turn.token)
    const content = await prepare(parts, call, request, attempts, turn.token)
    const exchange = { parts, call, request, attempts, turn, transport, content, onSent }
    return await (call.watched === undefined ? send(exchange) : sendWatched(exchange, call.watched))
  } finally {
    // A permit that nothing was sent with is given back.
    sent ??= permits.sent()
  }
}

async function loadTransport(parts: HttpParts, call: Call): Promise<Transport | Failure> {
  const { closing, transport } = parts
  const { signal, timeoutMs } = call.limits
  return givenUp({ signal, closing }) ?? (await waitWithin(parts, call, transport.load(), timeoutMs))
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
  const common = {
    ...(body === undefined ? plainHeaders : jsonHeaders),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  if (typeof body !== 'function') return { headers: common, body }
  const signed = await waitWithin(parts, call, body(lastFailure), call.limits.timeoutMs)
  if ('kind' in signed) return signed
  for (const value of Object.values(signed.headers)) remember(call, value)
  return { headers: { ...common, ...signed.headers }, body: signed.body }
}

interface Exchange<T> {
  readonly parts: HttpParts
  readonly call: Call
  readonly request: GatewayRequest<T>
  readonly attempts: Attempts
  readonly turn: Turn
  readonly transport: Transport
  readonly content: Content | Failure
  readonly onSent: () => Sent
}

function sendWatched<T>(exchange: Exchange<T>, watched: WatchedCall): Promise<GatewayResponse<T> | Failure> {
  const { request, attempts, turn } = exchange
  const facts = {
    route: request.route,
    permittedAt: turn.permit.at,
    number: attempts.count,
    retryReason: attempts.lastFailure && retryReason(attempts.lastFailure),
    waitedForTokenMs: turn.waitedForTokenMs,
    waitedForPermitMs: turn.waitedForPermitMs,
  }
  return watched.attempt(facts, (added) => send(exchange, added), attemptEnd)
}

async function send<T>(
  { parts, call, request, attempts, turn, transport, content, onSent }: Exchange<T>,
  added?: AddedHeaders,
): Promise<GatewayResponse<T> | Failure> {
  if ('kind' in content) return content
  const { permits, now } = parts
  const { signal, timeoutMs } = call.limits
  const { permit, token } = turn
  const endsAt = permit.at + timeoutMs
  const outgoing: TransportRequest = {
    method: request.route.method,
    path: parts.basePath + request.path,
    headers: added === undefined ? content.headers : { ...added, ...content.headers },
    body: content.body,
    timeoutMs: Math.max(0, Math.min(endsAt - performance.now(), remainingMs(call))),
    signal,
    freshConnection: request.connection === 'new',
    mayBegin: () => permits.isGood(permit),
    onSent,
  }
  const received = await transport.send(outgoing)
  if ('kind' in received) {
    // Nothing was sent with a permit that came too late.
    if (received.kind === 'permit-expired') attempts.count--
    return timeoutOrDeadline(call, received, endsAt)
  }
  permits.answered(onSent(), received, now, remainingMs(call))
  const result = readResponse(parts.observer, call, request, attempts, received)
  const isRefused = 'kind' in result && result.kind === 'response'
  attempts.refusal = isRefused ? tokenRefusal(request, token, received.status) : undefined
  if (!isRefused && token !== undefined) request.token?.tokens.worked(request.token.scope, token)
  return result
}

function remember({ sent, known }: Call, secret: string): void {
  if (sent.includes(secret)) return
  sent.push(secret)
  known.tokens.add(secret)
}

export function remainingMs({ patience }: Call): number {
  return Math.max(0, patience.endAt - performance.now())
}

interface Turn {
  readonly token: string | undefined
  readonly permit: Granted
  readonly waitedForTokenMs: number
  readonly waitedForPermitMs: number
}

/** Waits for the token and then for the permit, which is the last thing before the wire. */
async function takeTurn(
  { permits, closing }: HttpParts,
  call: Call,
  { token: wanted, route, flow = route.name, ...request }: GatewayRequest<unknown>,
): Promise<Turn | Failure> {
  const { signal, startedAt: since } = call.limits
  let priority = request.priority ?? call.limits.priority
  let waitedForTokenMs = 0
  let waitedForPermitMs = 0
  for (;;) {
    let token = wanted?.tokens.fresh(wanted.scope)
    let isKept = token !== undefined
    if (wanted !== undefined && token === undefined) {
      const missedAt = performance.now()
      const wait = { ms: remainingMs(call), retries: call.patience.retries, signal, closing }
      const minted = givenUp(wait) ?? (await wanted.tokens.mint(wanted.scope, wait))
      if (typeof minted !== 'string') return minted
      waitedForTokenMs += performance.now() - missedAt
      token = minted
      // One that seems to have expired when it comes is used all the same: the gateway's clock decides.
      isKept = wanted.tokens.fresh(wanted.scope) !== undefined
    }
    const askedAt = performance.now()
    const permit = await permits.take({ priority, flow, since, signal, remainingMs: remainingMs(call) })
    if ('kind' in permit) {
      // Whoever has joined a token request meanwhile may have given it more time.
      if (priority === 'token' && permit.kind === 'deadline' && remainingMs(call) > 0) continue
      return permit
    }
    waitedForPermitMs += Math.max(0, permit.at - askedAt)
    // The queue may have taken minutes, and somebody may have replaced the token meanwhile.
    if (isKept) token = wanted?.tokens.fresh(wanted.scope)
    if (token !== undefined || wanted === undefined) {
      return { token, permit, waitedForTokenMs, waitedForPermitMs }
    }
    // It expired in the queue. Another one is minted, and this request then waits with the priority of tokens.
    permits.sent()
    priority = 'token'
  }
}

function tokenRefusal(
  { token: wanted, retryNotFound }: GatewayRequest<unknown>,
  token: string | undefined,
  status: number,
) {
  // A payment that a 409 has just proved to exist may not be shown yet.
  const isAboutToken = status !== 404 || retryNotFound !== true
  return isAboutToken && token !== undefined ? wanted?.tokens.refused(wanted.scope, token, status) : undefined
}

function waitWithin<T>(
  { closing }: HttpParts,
  call: Call,
  made: Promise<T>,
  ms: number,
): Promise<T | Failure> {
  const { signal } = call.limits
  const late: Failure = { kind: 'timeout', sent: false }
  return within(made, { ms: Math.min(ms, remainingMs(call)), signal, closing, late })
}

function timeoutOrDeadline<F extends Failure>(call: Call, failure: F, attemptEndsAt: number): Failure {
  return failure.kind === 'timeout' && call.patience.endAt < attemptEndsAt
    ? { kind: 'deadline', sent: failure.sent, while: 'waiting for the response' }
    : failure
}
