import type { Outcome } from '../errors.js'
import type { WatchedCall } from '../observe/watched-call.js'
import type { Failure } from './failure.js'
import { grown } from './outcome.js'
import type { TokenRefusal } from './request.js'
import type { KnownSecrets, SecretSource } from './secrets.js'

export interface CallLimits {
  readonly signal: AbortSignal | undefined
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly retries: number
  /** Whether it waits for its permits behind what customers wait for. */
  readonly isBackground?: boolean
  readonly startedAt: number
  /** On token requests: those of the calls that wait for the token. */
  readonly joined?: JoinedLimits | undefined
  /** Called when its first request goes out: it waits for no permit any more. */
  readonly onSent?: (() => void) | undefined
}

/** The limits of the most patient of those who wait for one request; more may come while it is under way. */
export interface JoinedLimits {
  readonly endAt: number
  readonly retries: number
}

/**
 * One call of a method of the client: the deadline, the outcome and the secrets that all its requests
 * share. A create and its lookup after a 409 are one call.
 */
export class Call {
  readonly limits: CallLimits
  readonly watched: WatchedCall | undefined
  /** Tokens and signatures of all attempts: a response may quote any of them. */
  readonly sent: string[] = []
  readonly known: KnownSecrets
  requests: readonly SecretSource[] = []
  #outcome: Outcome = 'not-accepted'

  constructor(limits: CallLimits, known: KnownSecrets, watched?: WatchedCall) {
    this.limits = limits
    this.known = known
    this.watched = watched
  }

  sends(secret: string): void {
    if (this.sent.includes(secret)) return
    this.sent.push(secret)
    this.known.tokens.add(secret)
  }

  get outcome(): Outcome {
    return this.#outcome
  }

  learn(outcome: Outcome): void {
    this.#outcome = grown(this.#outcome, outcome)
  }

  get endAt(): number {
    const { startedAt, deadlineMs, joined } = this.limits
    return Math.max(startedAt + deadlineMs, joined?.endAt ?? 0)
  }

  get remainingMs(): number {
    return Math.max(0, this.endAt - performance.now())
  }

  get retries(): number {
    return Math.max(this.limits.retries, this.limits.joined?.retries ?? 0)
  }
}

export interface Attempts {
  count: number
  /** How many of them are none of the caller's retries: a 429, a refused token and one that was too new ended them. */
  free: number
  refusal: TokenRefusal
  reminted: boolean
  /** How long the gateway asked to wait, where that is why the call failed. */
  retryAfterMs: number | undefined
  lastFailure: Failure | undefined
  /** How long they waited for tokens and for permits, all together, in milliseconds. */
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
