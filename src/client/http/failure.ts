/** What can end one attempt without a usable answer. Plain data: policy and wording are elsewhere. */
export type Failure =
  | { readonly kind: 'response'; readonly response: TransportResponse }
  /** A 2xx whose body is no use; without `shows`, it shows nothing. */
  | {
      readonly kind: 'unusable'
      readonly response: TransportResponse
      readonly issues: readonly string[]
      readonly shows?: Shown
    }
  /** No connection, or one that broke; `sent` when the request may have arrived. */
  | {
      readonly kind: 'connection'
      readonly sent: boolean
      readonly cause: unknown
      /** What to do about it, where the cause tells. */
      readonly advice?: string | undefined
    }
  | { readonly kind: 'timeout'; readonly sent: boolean }
  | { readonly kind: 'deadline'; readonly sent: boolean; readonly while: string }
  | {
      readonly kind: 'aborted'
      readonly sent: boolean
      readonly cause: unknown
    }
  | { readonly kind: 'too-large'; readonly response: TransportResponse }
  | { readonly kind: 'queue-full' }
  /** The gateway asked everybody to wait for longer than this call may take. */
  | { readonly kind: 'paused'; readonly retryAfterMs: number }
  /** When the request could be written, its permit was too old. Nothing was, and it waits for another one. */
  | { readonly kind: 'permit-expired' }
  | { readonly kind: 'closed' }
  /** By what the client has learnt since the call began, it must not be sent. */
  | {
      readonly kind: 'withheld'
      readonly why: string
      readonly advice: string
      /** The option that says so. */
      readonly option: string
    }
  | { readonly kind: 'unloadable'; readonly cause: unknown }
  | { readonly kind: 'limiter'; readonly cause: unknown }
  /** The signer rejected, or `gave` something that is no signature. */
  | { readonly kind: 'signing'; readonly cause: unknown; readonly gave?: string }
  /** The answer to a token request holds no token that can be used; `fields` are the names that came. */
  | { readonly kind: 'no-token'; readonly fields: readonly string[]; readonly tooLong?: boolean }
  /** No token could be had: the token request, a call of its own, failed. */
  | { readonly kind: 'token'; readonly request: FailedTokenRequest }

export interface FailedTokenRequest {
  readonly failure: Failure
  readonly context: FailureContext
}

/** How a token request says who asks (specification, section 5). */
export type Credential = 'signature' | 'secret'

export interface FailureContext {
  readonly credential?: Credential | undefined
  readonly route: string
  readonly attempts: number
  readonly retryAfterMs: number | undefined
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly nowMs: number
  readonly secrets: readonly string[]
  /** Whether an answer that is no refusal may be a secret as a whole, as that of a token endpoint. */
  readonly answerIsSecret?: boolean
  /** Whether the life of its token ended while it was on its way. */
  readonly tokenRanOut?: boolean
}

export interface TransportResponse {
  readonly status: number
  readonly body: string
  /** Header values by lower-case name; only those that the library reads. */
  readonly headers: ResponseHeaders
  /** Ends the connection that it came on: what is no answer to this request may be followed by what is. */
  readonly discard?: () => void
}

/**
 * Whose payment an answer shows: the one that was asked for; another one, or one that can't be told from
 * another; none at all.
 */
export type Shown = 'asked' | 'other' | 'nothing'

export interface ResponseHeaders {
  get(name: string): string | undefined
}

/** What is known of the requests of one call: none can have arrived, one may have, one was accepted. */
export type Evidence = 'none' | 'possible' | 'certain'

export function isFailure<T>(result: T | Failure): result is Failure {
  return typeof result === 'object' && result !== null && Object.hasOwn(result, 'kind')
}

export function aborted({ reason }: AbortSignal): Failure {
  return { kind: 'aborted', sent: false, cause: reason }
}

/** What ends a call before its time: the signal of its caller, or the end of the client. */
interface Stops {
  readonly signal: AbortSignal | undefined
  readonly closing: { readonly aborted: boolean }
}

/** How a call ended that was given up before anything of this attempt was sent; undefined while it goes on. */
export function givenUp({ signal, closing }: Stops): Failure | undefined {
  if (signal?.aborted === true) return aborted(signal)
  return closing.aborted ? { kind: 'closed' } : undefined
}

/** What a failed attempt says of whether its request was processed. */
export function evidenceOf(failure: Failure): Evidence {
  switch (failure.kind) {
    case 'unusable':
      // A 2xx that can't be tied to the payment may come from something in front of the gateway.
      return failure.shows === 'asked' ? 'certain' : 'possible'
    case 'response':
      return refuses(failure.response.status) ? 'none' : 'possible'
    case 'too-large': {
      const { status } = failure.response
      // A 409 to a create is no refusal, and nobody has read what this one says.
      return refuses(status) && status !== 409 ? 'none' : 'possible'
    }
    case 'connection':
    case 'timeout':
    case 'deadline':
    case 'aborted':
      // Also when a 2xx had begun to come: an answer that nobody has read to its end proves nothing.
      return failure.sent ? 'possible' : 'none'
    case 'queue-full':
    case 'paused':
    case 'permit-expired':
    case 'closed':
    case 'withheld':
    case 'unloadable':
    case 'limiter':
    case 'signing':
    case 'token':
      return 'none'
    case 'no-token':
      return 'certain'
  }
}

/**
 * The statuses which say that the request was looked at and turned down (RFC 9110, section 15.5; RFC 6585; RFC 7725).
 * The specification names 404, 409 and 429 (section 7). All others may follow processing: some say who hung up (408,
 * 444, 460, 499), some that it may be tried again (423, 425), some that something behind failed (424), and 406 that the
 * response did not suit.
 */
const refusals: ReadonlySet<number> = new Set([
  400, 401, 402, 403, 404, 405, 407, 409, 410, 411, 412, 413, 414, 415, 417, 421, 422, 426, 428, 429, 431,
  451,
])

/** Whether a response of this status proves that its request was not processed. */
export function refuses(status: number): boolean {
  return refusals.has(status)
}

const weight: Record<Evidence, number> = { none: 0, possible: 1, certain: 2 }

/** The stronger of two: what one attempt may have done, a later refusal doesn't undo. */
export function stronger(a: Evidence, b: Evidence): Evidence {
  return weight[a] >= weight[b] ? a : b
}
