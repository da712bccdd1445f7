import type { Outcome } from '../errors.js'
import type { WatchedCall } from '../observe/watched-call.js'
import type { Failure } from './failure.js'
import type { TokenRefusal } from './request.js'
import type { KnownSecrets, SecretSource } from './secrets.js'

export interface CallLimits {
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly priority: 'customer' | 'background'
  readonly startedAt: number
  /** Called when its first request goes out: it waits for no permit any more. */
  readonly onSent?: (() => void) | undefined
}

/** Until when a call goes on, and how often it is tried again. That of a token request grows with each call that joins it. */
export interface Patience {
  endAt: number
  retries: number
}

/** What all requests of one call share. A create and its lookup after a 409 are one call. */
export interface Call {
  readonly limits: CallLimits
  readonly patience: Patience
  readonly watched: WatchedCall | undefined
  /** Tokens and signatures of all attempts: a response may quote any of them. */
  readonly sent: string[]
  readonly known: KnownSecrets
  requests: readonly SecretSource[]
  /** It only grows. */
  outcome: Outcome
}

export interface Attempts {
  count: number
  /** How many of them are none of the caller's retries: a 429, a refused token and one that was too new ended them. */
  free: number
  refusal: TokenRefusal
  reminted: boolean
  retryAfterMs: number | undefined
  lastFailure: Failure | undefined
  waitedForTokenMs: number
  waitedForPermitMs: number
  permittedAt: number
}

export const noAttempts: Readonly<Attempts> = {
  count: 0,
  free: 0,
  refusal: undefined,
  reminted: false,
  retryAfterMs: undefined,
  lastFailure: undefined,
  waitedForTokenMs: 0,
  waitedForPermitMs: 0,
  permittedAt: 0,
}
