import { KeyedLog } from '../memory/keyed-log.js'
import type { Payment, PaymentKind, SandboxStatus } from '../payments/payment.js'
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
  readonly answer: number | undefined
  /** The body of that answer, its first 2048 bytes; undefined for none. */
  readonly answerBody: string | undefined
  /** Why there is no answer. */
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

const MAX_LOG_BYTES = 16 * 1024 * 1024
const FIRST_OF_PAYMENT = 10

/** The newest attempts, and the first ones of every payment. */
export class DeliveryLog {
  readonly #log: KeyedLog<Attempt>

  constructor(maxLogged: number) {
    const limits = { maxEntries: maxLogged, maxBytes: MAX_LOG_BYTES, firstOfKey: FIRST_OF_PAYMENT }
    this.#log = new KeyedLog(limits, bytesOf)
  }

  /** @returns what counts its bytes again, when it has been answered */
  add(delivery: Attempt): () => void {
    return this.#log.add(delivery, keyOf(delivery.callback))
  }

  /** What was sent, for `sandbox.callbacks`. */
  sent(): SandboxCallback[] {
    return this.#log
      .toArray()
      .filter(({ isWithheld }) => !isWithheld)
      .map(({ callback }) => callback)
  }

  about(payment: Payment): Attempt[] {
    const key = keyOf(payment)
    return this.#log.about(key, ({ callback }) => keyOf(callback) === key)
  }

  clear(): void {
    this.#log.clear()
  }
}

function bytesOf({ callback, request }: Attempt): number {
  const { url, id, answerBody = '' } = callback
  return url.length + id.length + (request?.body.length ?? 0) * 2 + answerBody.length + 300
}

function keyOf({ kind, id }: { kind: PaymentKind; id: string }): string {
  return `${kind} ${id}`
}
