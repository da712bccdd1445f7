import type { Observer } from '../observe/observer.js'
import type { Budget } from './budget.js'
import type { TokenSource } from './call.js'
import type { Evidence, Failure } from './failure.js'
import type { RequestHeaders } from './request-headers.js'
import type { Waits } from './response-of.js'
import type { Wire } from './transport.js'

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

/** What is left of the call's deadline, in milliseconds. */
export function remainingMs(progress: Progress): number {
  return Math.max(0, progress.startedAt + progress.deadlineMs - performance.now())
}
