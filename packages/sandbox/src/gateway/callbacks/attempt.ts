import type { PaymentKind, SandboxStatus } from '../payments/payment.js'
import type { CallbackRequest } from './delivery.js'

/** One attempt to deliver one callback, in `sandbox.callbacks`. */
export interface SandboxCallback {
  /** When it was sent: milliseconds since 1970, by the sandbox's clock. */
  readonly at: number
  /** Whether it is about a payin or a payout. */
  readonly kind: PaymentKind
  /** The idPayin or idPayout that it is about. */
  readonly id: string
  /** The payment's status when the callback was made. The callback itself does not carry it (section 6). */
  readonly paymentStatus: SandboxStatus
  /** Where it was sent. */
  readonly url: string
  /** 1 for the first. */
  readonly attempt: number
  /** The receiver's HTTP status; undefined while it has not answered, or when it never did. */
  readonly response: number | undefined
  /** The body of that response, its first 2048 bytes; undefined for none. */
  readonly responseBody: string | undefined
  /** Why there is no response. */
  readonly error: string | undefined
}

/** Why a callback went out, or did not. */
export interface CallbackOrigin {
  /** A change of status, or somebody who asked for it by hand. */
  readonly source: 'change' | 'page' | 'code'
  /** The fault that it met, and whether a magic value asked for that. */
  readonly fault?: { readonly kind: string; readonly isMagic: boolean }
}

/** What the sandbox's page shows of an attempt besides. */
export interface Attempt {
  readonly callback: Mutable<SandboxCallback>
  readonly origin: CallbackOrigin
  /** Undefined for a callback that a fault withheld, or that could not be made. */
  readonly request: Pick<CallbackRequest, 'method' | 'headers' | 'body'> | undefined
  readonly isWithheld: boolean
  /** How long the merchant took, in milliseconds of real time. */
  tookMs: number | undefined
  /** When it is sent again, by the sandbox's clock. */
  nextTryAt: number | undefined
  /** Whether this was the last attempt, and in vain. */
  isGivenUp: boolean
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
