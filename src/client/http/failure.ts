import type { Outcome } from '../errors.js'
import type { Ending } from '../input/wait.js'
import type { PaymentKind } from '../schemas/payment.js'

export type Failure =
  | { readonly kind: 'response'; readonly response: TransportResponse }
  /** A 2xx whose body is no use; without `shows`, it shows nothing. */
  | {
      readonly kind: 'unusable'
      readonly response: TransportResponse
      readonly issues: readonly string[]
      readonly shows?: Shown
    }
  | {
      readonly kind: 'connection'
      readonly sent: boolean
      readonly cause: unknown
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
      readonly option: string
    }
  | { readonly kind: 'unloadable'; readonly cause: unknown }
  | { readonly kind: 'limiter'; readonly cause: unknown }
  | { readonly kind: 'signing'; readonly cause: unknown; readonly gave?: string }
  | { readonly kind: 'no-token'; readonly fields: readonly string[]; readonly tooLong?: boolean }
  | { readonly kind: 'token'; readonly request: Failed }

/** How a token request says who asks (specification, section 5). */
export type Credential = 'signature' | 'secret'

export type About =
  | {
      readonly kind: 'create'
      readonly payment: PaymentKind
      readonly id: string
      /** Whether the caller chose the id; one that was made now can't have been used before. */
      readonly isGiven: boolean
      /** What this call of the client knows already, since the create was answered 409. */
      readonly before?: string
    }
  | { readonly kind: 'read'; readonly payment: PaymentKind; readonly id: string }
  | { readonly kind: 'request'; readonly method: string; readonly path: string }
  | { readonly kind: 'token'; readonly credential: Credential }
  | { readonly kind: 'account' }

export function credentialOf(about: About): Credential | undefined {
  return about.kind === 'token' ? about.credential : undefined
}

export interface Failed {
  readonly failure: Failure
  readonly outcome: Outcome
  readonly about: About
  readonly route: string
  /** Of a token request, also where another call failed by it: its response may be a secret as a whole. */
  readonly credential?: Credential | undefined
  readonly attempts: number
  readonly retryAfterMs: number | undefined
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly nowMs: number
  readonly secrets: readonly string[]
  readonly tokenRanOut?: boolean
}

export interface TransportResponse {
  readonly status: number
  readonly body: string
  readonly headers: ResponseHeaders
  /** Ends the connection that it came on: what is no response to this request may be followed by what is. */
  readonly discard?: () => void
}

/** Whose payment a response shows. `other` is also one that can't be told from another's. */
export type Shown = 'asked' | 'other' | 'nothing'

export interface ResponseHeaders {
  get(name: string): string | undefined
}

export function aborted({ reason }: AbortSignal): Failure {
  return { kind: 'aborted', sent: false, cause: reason }
}

export interface StopSignals {
  readonly signal: AbortSignal | undefined
  readonly closing: Ending
}

export function givenUp({ signal, closing }: StopSignals): Failure | undefined {
  if (signal?.aborted === true) return aborted(signal)
  return closing.aborted ? { kind: 'closed' } : undefined
}

export function isFailed<T>(result: T | Failed): result is Failed {
  return typeof result === 'object' && result !== null && Object.hasOwn(result, 'failure')
}
