import type { Lane } from '../observe/events.js'
import { refuseAborted } from './abortable-wait.js'
import { type AttemptParts, type Progress, remainingMs } from './attempt-parts.js'
import type { Answer, Call, Question } from './call.js'
import { AttemptFailed, CallFailed } from './failure.js'
import { type Asked, requestAnswer } from './request-answer.js'

/**
 * One attempt: token, permit, and then the request. Throws or rejects with {@link AttemptFailed} whatever
 * goes wrong; what to do then is not decided here.
 */
export function attempt<Scope, T>(
  parts: AttemptParts<Scope>,
  call: Call<Scope, T>,
  progress: Progress,
): Promise<Answer<T>> {
  const { tokens, closing } = parts
  const { scope, options } = call
  refuseAborted(options?.signal)
  if (closing.aborted) throw new AttemptFailed({ kind: 'closed' })
  const askedAt = performance.now()
  const token = scope === undefined ? undefined : tokens.fresh(scope)
  if (scope !== undefined && token === undefined) return afterMinting(parts, scope, call, progress, askedAt)
  return withPermit(parts, call, progress, { token, askedAt, waitedForTokenMs: 0 })
}

async function afterMinting<Scope, T>(
  parts: AttemptParts<Scope>,
  scope: Scope,
  call: Call<Scope, T>,
  progress: Progress,
  askedAt: number,
): Promise<Answer<T>> {
  const token = await mint(parts, scope, call, progress)
  return withPermit(parts, call, progress, { token, askedAt, waitedForTokenMs: performance.now() - askedAt })
}

function withPermit<Scope, T>(
  parts: AttemptParts<Scope>,
  call: Call<Scope, T>,
  progress: Progress,
  asked: Asked,
): Promise<Answer<T>> {
  const waiting = take(parts, call, progress)
  // Nothing to wait for: no promise more than the request needs.
  if (waiting === undefined) return requestAnswer(parts, call, progress, asked)
  return afterWaiting(parts, call, progress, asked, waiting)
}

/** A hundred thousand calls may wait here: what only the request needs is not in this function. */
async function afterWaiting<Scope, T>(
  parts: AttemptParts<Scope>,
  call: Call<Scope, T>,
  progress: Progress,
  asked: Asked,
  waiting: Promise<void>,
): Promise<Answer<T>> {
  await waiting
  const { scope } = call
  if (scope === undefined) return requestAnswer(parts, call, progress, asked)
  // The queue may have taken minutes, and somebody may have replaced the token meanwhile.
  const token = parts.tokens.fresh(scope)
  if (token !== undefined) return requestAnswer(parts, call, progress, { ...asked, token })
  // It ran out. Its successor and this request go before everybody else.
  parts.budget.sent()
  const expiredAt = performance.now()
  const fresh = await mint(parts, scope, call, progress)
  const waitedForTokenMs = asked.waitedForTokenMs + performance.now() - expiredAt
  await take(parts, call, progress, 'token')
  return requestAnswer(parts, call, progress, { ...asked, token: fresh, waitedForTokenMs })
}

function take<Scope>(
  { budget }: AttemptParts<Scope>,
  { lane, options }: Question<Scope>,
  progress: Progress,
  instead: Lane = lane,
): Promise<void> | undefined {
  const again = progress.attempts > 0
  return budget.take(instead, { signal: options?.signal, remainingMs: remainingMs(progress), again })
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
      retries: call.options?.retries,
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
