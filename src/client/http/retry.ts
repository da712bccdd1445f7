import pRetry from 'p-retry'
import { sleep } from './abortable-wait.js'
import { attempt, type HttpParts, remainingMs } from './attempt.js'
import type { Attempts, Call } from './call.js'
import { credentialOf, type Failed, type Failure } from './failure.js'
import { grown, outcomeOf } from './outcome.js'
import { type GatewayRequest, type GatewayResponse, shownRoute } from './request.js'
import { decideRetry, isRateLimited } from './retry-policy.js'
import { secretsOf } from './secrets.js'

/** Tries a request again after its first failure: the loop is p-retry's, the policy is {@link decideRetry}'s. */
export async function retry<T>(
  parts: HttpParts,
  call: Call,
  request: GatewayRequest<T>,
  attempts: Attempts,
  first: Failure,
): Promise<GatewayResponse<T> | Failed> {
  let end: Failure | undefined
  const tryOnce = async (n: number) => {
    const result = n === 1 ? first : await attempt(parts, call, request, attempts)
    if ('kind' in result) throw new AttemptFailed(result)
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

/** A 429 and a first 401 are no retries, and `Retry-After` outweighs any backoff. With a signal, p-retry drops a late response. */
const onlyThePolicyCounts = {
  retries: Number.POSITIVE_INFINITY,
  shouldConsumeRetry: () => false,
  minTimeout: 0,
}

class AttemptFailed extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.kind)
    this.failure = failure
  }
}

async function afterFailure(
  parts: HttpParts,
  call: Call,
  request: GatewayRequest<unknown>,
  attempts: Attempts,
  failure: Failure,
): Promise<Failure | undefined> {
  // It was no attempt. A limiter whose permits never last long enough must not keep the call for ever.
  if (failure.kind === 'permit-expired' && remainingMs(call) > 0) return undefined
  const { lastFailure } = attempts
  // A call that runs out of time after a 429 failed because of the 429, and not because it waited.
  if (lastFailure !== undefined && isRateLimited(lastFailure) && isOutOfTime(failure)) {
    if (failure.kind === 'paused') attempts.retryAfterMs = failure.retryAfterMs
    return lastFailure
  }
  call.outcome = grown(call.outcome, outcomeOf(failure))
  attempts.lastFailure = failure
  if (isRateLimited(failure)) attempts.free++
  const tokenRanOut = attempts.refusal === 'ran-out'
  const verdict = decideRetry(failure, {
    attempt: attempts.count - attempts.free,
    retries: call.patience.retries,
    remainingMs: remainingMs(call),
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
  call.outcome = grown(call.outcome, outcomeOf(failure))
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
