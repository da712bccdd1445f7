import type { Observer } from '../observe/observer.js'
import type { SharedLimits, TokenSource } from './call.js'
import type { Evidence, Failure } from './failure.js'
import type { PermitQueue } from './limit/queue.js'
import type { RequestHeaders } from './request-headers.js'
import type { Waits } from './response-info.js'
import type { Wire } from './transport/transport.js'

/** What one call knows while it runs. A hundred thousand may wait, so what only an answer needs comes late. */
export interface Progress {
  /** On the monotonic clock. */
  readonly startedAt: number
  readonly deadlineMs: number
  readonly timeoutMs: number
  attempts: number
  evidence: Evidence
  reminted: boolean
  /** How many attempts were answered by a 429. */
  rateLimited: number
  retryAfterMs: number | undefined
  /** The token of the last attempt, so that no message shows it. */
  token: string | undefined
  /** For the same reason, tokens of the attempts before, and signatures. */
  sent?: Set<string>
  /** What the last attempt came to. */
  lastFailure: Failure | undefined
  /** There when a request has been permitted. */
  waits: Waits | undefined
  /** There while calls wait for this one. */
  readonly shared?: SharedLimits | undefined
}

/** What every attempt of a client goes through. */
export interface AttemptParts<Scope> {
  readonly wire: Wire
  readonly budget: PermitQueue
  readonly tokens: TokenSource<Scope>
  readonly basePath: string
  readonly headers: RequestHeaders
  readonly observer: Observer
  /** Fires when the client is closed. */
  readonly closing: AbortSignal
  /** The wall clock. */
  readonly now: () => number
}

/** When the call's time is over, on the monotonic clock. */
export function endOf({ startedAt, deadlineMs, shared }: Progress): number {
  const end = startedAt + deadlineMs
  return shared === undefined ? end : Math.max(end, shared.endAt)
}

/** What is left of the call's deadline, in milliseconds. */
export function remainingMs(progress: Progress): number {
  return Math.max(0, endOf(progress) - performance.now())
}

/** So that no message shows it, whichever attempt it was sent with. */
export function keepSecret(progress: Progress, secret: string): void {
  progress.sent ??= new Set()
  progress.sent.add(secret)
}
