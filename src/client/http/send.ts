import pRetry from 'p-retry'
import type { Ending } from '../input/wait.js'
import type { AddedHeaders } from '../observe/added-headers.js'
import type { Observer } from '../observe/observer.js'
import type { AttemptFacts } from '../observe/watched-call.js'
import { sleep, within } from './abortable-wait.js'
import { type Attempts, type Call, type CallLimits, noAttempts } from './call.js'
import { credentialOf, type Failed, type Failure, givenUp, isFailure } from './failure.js'
import type { Priority } from './limit/limiter.js'
import type { Granted, PermitQueue } from './limit/queue.js'
import type { Sent } from './limit/send-window.js'
import { attemptEnd, outcomeOf, retryReason } from './outcome.js'
import { type GatewayRequest, type GatewayResponse, shownRoute, type TokenRefusal } from './request.js'
import { readResponse } from './response.js'
import { decideRetry, isRateLimited } from './retry-policy.js'
import { secretsOf } from './secrets.js'
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

/** Sends one request of a call, as often as it takes. Never rejects: a failure is a value. */
export async function send<T>(
  parts: HttpParts,
  call: Call,
  request: GatewayRequest<T>,
): Promise<GatewayResponse<T> | Failed> {
  const attempts: Attempts = { ...noAttempts }
  // No more of the request than that: results keep it, and the rest leads to the token keeper and to the client. A list
  // of its exact length: most have one, and many wait.
  const { body, secrets } = request
  call.requests = [...call.requests, { body: typeof body === 'string' ? body : undefined, secrets }]
  const result = await attempt(parts, call, request, attempts)
  // Most requests need no retry, and those that wait for a permit should weigh little.
  return isFailure(result) ? await retry(parts, call, request, attempts, result) : result
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

/**
 * Tries a request of a call again after its first failure, as often as it takes: until there is a usable response or
 * nothing more to try. The loop is p-retry's, the policy is {@link decideRetry}'s.
 */
async function retry<T>(
  parts: HttpParts,
  call: Call,
  request: GatewayRequest<T>,
  attempts: Attempts,
  first: Failure,
): Promise<GatewayResponse<T> | Failed> {
  let end: Failure | undefined
  const tryOnce = async (n: number) => {
    const result = n === 1 ? first : await attempt(parts, call, request, attempts)
    if (isFailure(result)) throw new AttemptFailed(result)
    return result
  }
  try {
    return await pRetry(tryOnce, {
      ...onlyThePolicyCounts,
      shouldRetry: async ({ error }) => {
        if (!(error instanceof AttemptFailed)) return false
        end = await afterFailure(parts, call, request, attempts, error.failure)
        return end === undefined
      },
    })
  } catch (error) {
    if (!(error instanceof AttemptFailed)) throw error
    return failed(parts, call, request, attempts, end ?? error.failure)
  }
}

/**
 * p-retry neither counts nor waits: a 429 and a first 401 are no retries, and `Retry-After` outweighs any backoff. No
 * signal: with one, p-retry drops a response that is there.
 */
const onlyThePolicyCounts = {
  retries: Number.POSITIVE_INFINITY,
  shouldConsumeRetry: () => false,
  minTimeout: 0,
}

/** Carries a failure through p-retry, which knows thrown errors only. It never leaves this file. */
class AttemptFailed extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.kind)
    this.failure = failure
  }
}

/** Waits until the next attempt may be made and resolves to undefined, or to the failure that ends the call. */
async function afterFailure(
  parts: HttpParts,
  call: Call,
  request: GatewayRequest<unknown>,
  attempts: Attempts,
  failure: Failure,
): Promise<Failure | undefined> {
  // It was no attempt. A limiter whose permits never last long enough must not keep the call for ever.
  if (failure.kind === 'permit-expired' && call.remainingMs > 0) return undefined
  const { lastFailure } = attempts
  // A call that runs out of time after a 429 failed because of the 429, and not because it waited.
  if (lastFailure !== undefined && isRateLimited(lastFailure) && isOutOfTime(failure)) {
    if (failure.kind === 'paused') attempts.retryAfterMs = failure.retryAfterMs
    return lastFailure
  }
  call.learn(outcomeOf(failure))
  attempts.lastFailure = failure
  // "Not processed" (section 7), so it was no attempt.
  if (isRateLimited(failure)) attempts.free++
  const tokenRanOut = attempts.refusal === 'ran-out'
  const verdict = decideRetry(failure, {
    attempt: attempts.count - attempts.free,
    retries: call.retries,
    remainingMs: call.remainingMs,
    canRemint:
      !attempts.reminted &&
      (attempts.refusal === 'replaced' || tokenRanOut || isRefusedSignature(request, failure)),
    tokenRanOut,
    tokenAfterMs: typeof attempts.refusal === 'object' ? attempts.refusal.againAfterMs : undefined,
    retryNotFound: request.retryNotFound ?? false,
    repeatable: request.repeatable ?? true,
    pausedMs: parts.permits.pausedMs,
    nowMs: parts.now(),
    random: Math.random(),
  })
  switch (verdict.action) {
    case 'remint':
      attempts.reminted = true
      attempts.free++
      return undefined
    case 'fail':
      attempts.retryAfterMs = verdict.retryAfterMs
      return failure
    case 'wait':
    case 'retry':
      if (verdict.action === 'wait') attempts.free++
      return verdict.delayMs > 0
        ? sleep(verdict.delayMs, { signal: call.limits.signal, closing: parts.closing })
        : undefined
  }
}

/** A signature is made anew over other bytes: the first may have been taken for a replay. */
function isRefusedSignature({ about }: GatewayRequest<unknown>, failure: Failure): boolean {
  return credentialOf(about) === 'signature' && failure.kind === 'response' && failure.response.status === 401
}

/** Whether the deadline passed, or will pass, while the call waits for its permit. */
function isOutOfTime(failure: Failure): boolean {
  return failure.kind === 'paused' || (failure.kind === 'deadline' && !failure.sent)
}

function failed(
  parts: HttpParts,
  call: Call,
  request: GatewayRequest<unknown>,
  { count, retryAfterMs, refusal }: Attempts,
  failure: Failure,
): Failed {
  call.learn(outcomeOf(failure))
  const { timeoutMs, deadlineMs } = call.limits
  const { outcome } = call
  const { about } = request
  const asked = {
    about,
    route: shownRoute(request),
    credential: credentialOf(about),
    attempts: count,
    retryAfterMs,
    timeoutMs,
    deadlineMs,
  }
  const tokenRanOut = refusal === 'ran-out'
  return { failure, outcome, ...asked, tokenRanOut, nowMs: parts.now(), secrets: secretsOf(call) }
}
