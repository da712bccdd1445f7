import type { Outcome } from '../errors.js'
import { jsonOf } from '../input/values.js'
import type { WatchedCall } from '../observe/watched-call.js'
import { secretsIn } from '../redact.js'
import type { Failure } from './failure.js'
import { grown } from './outcome.js'
import type { TokenRefusal } from './request.js'

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

export interface SecretSource {
  readonly body?: string | undefined
  readonly secrets?: readonly string[] | undefined
}

export interface SentSecrets {
  readonly requests: readonly SecretSource[]
  readonly sent: readonly string[]
  readonly known: KnownSecrets
}

export function secretsOf({ requests, sent, known }: SentSecrets): string[] {
  const ofRequests = requests.flatMap(({ body, secrets }) => [
    ...(secrets ?? []),
    ...(body === undefined ? [] : secretsIn(jsonOf(body))),
  ])
  return [...ofRequests, ...sent, ...known.all]
}

export class Recent {
  /** Made with the first of them: a platform has three of these for each of its merchants. */
  #texts: Set<string> | undefined
  readonly #most: number
  #newest: string | undefined

  constructor(most: number) {
    this.#most = most
  }

  get all(): readonly string[] {
    return [...(this.#texts ?? [])]
  }

  add(text: string): void {
    if (text === this.#newest) return
    this.#newest = text
    this.#texts ??= new Set()
    const texts = this.#texts
    texts.delete(text)
    texts.add(text)
    for (const oldest of texts) {
      if (texts.size <= this.#most) return
      texts.delete(oldest)
    }
  }
}

/**
 * What a client was given or has sent that nobody should read: its credentials, the secrets of its receivers of
 * callbacks, its newest tokens and signatures, and its newest callback URLs, whose MACs are as good as a signature.
 * A response to any call may quote one of another.
 */
export class KnownSecrets {
  readonly #ofCredentials: () => readonly string[]
  readonly #ofReceivers = new Recent(64)
  readonly tokens = new Recent(32)
  readonly callbackUrls = new Recent(64)

  /** @param ofCredentials makes the texts of its credentials; asked only when something is to be shown. */
  constructor(ofCredentials: () => readonly string[] = () => []) {
    this.#ofCredentials = ofCredentials
  }

  /** Secrets of a receiver of callbacks; where each request makes a receiver, they are the same every time. */
  addReceiver(texts: readonly string[]): void {
    for (const text of texts) this.#ofReceivers.add(text)
  }

  get all(): readonly string[] {
    return [
      ...this.#ofCredentials(),
      ...this.#ofReceivers.all,
      ...this.tokens.all,
      ...secretsIn({ urls: this.callbackUrls.all }),
    ]
  }
}
