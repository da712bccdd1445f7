import type { CallbackForm } from '../callbacks/form.js'
import type { SandboxMoney } from '../wire/money.js'
import type { PaymentRequest } from './payment-request.js'

/** A payin or a payout; both go through the same statuses. */
export type PaymentKind = 'payin' | 'payout'

/**
 * Status of a payment in the sandbox. Those other than SUCCESS are assumptions (section 3 names no more), and
 * a test may make up any.
 */
export type SandboxStatus = 'CREATED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'EXPIRED' | (string & {})

/** One step of a payment's life. */
export interface StatusChange {
  /** The status that it changed to. */
  readonly status: SandboxStatus
  /** Milliseconds since 1970, by the sandbox's clock. */
  readonly at: number
}

/** By the gateway itself, a magic value or a fault; or by somebody, on the page or by code. */
export type StatusCause = 'gateway' | 'magic' | 'fault' | 'page' | 'code'

export interface CausedChange extends StatusChange {
  readonly cause: StatusCause
}

export type CallbackSource = 'page' | 'code'

/** What `setStatus` takes beside the status. */
export interface StatusOptions {
  /** Whether the payment now carries `processedAt`; by default for SUCCESS, FAILED and EXPIRED only. */
  processed?: boolean | undefined
}

/**
 * A payment as the gateway holds it, for tests to look at and to push along.
 *
 * @example
 * ```ts
 * sandbox.payins.get(idPayin).pay()
 * ```
 */
export interface SandboxPayment {
  /** Whether it is a payin or a payout. */
  readonly kind: PaymentKind
  /** The merchant's idPayin or idPayout. */
  readonly id: string
  /** CREATED, PENDING, SUCCESS, FAILED, EXPIRED, or whatever a test has made it. */
  readonly status: SandboxStatus
  /** What the merchant asked for. */
  readonly money: SandboxMoney
  /** As in the request, such as `VAPAY` or `BANK_TRANSFER`. */
  readonly paymentMethodCode: string
  /** ISO 8601, UTC, by the sandbox's clock. */
  readonly createdAt: string
  /** ISO 8601, UTC; undefined until the payment is processed. */
  readonly processedAt: string | undefined
  /** All statuses that the payment has had, the oldest first. */
  readonly history: readonly StatusChange[]
  /** As in the request. */
  readonly callbackUrl: string | undefined
  /** What a gateway may not have accepted in it, a sentence each; empty when there is nothing to say. */
  readonly notes: readonly string[]
  /** The customer pays a payin, or a payout arrives: `setStatus('SUCCESS')`. */
  pay(): void
  /**
   * Gives the payment a status by hand and sends the callback (section 6: at every change). Any status is
   * taken, an unknown one included; the one that it has already changes nothing. What the
   * sandbox had planned for the payment is cancelled.
   *
   * @param status any text, such as `FAILED`.
   * @param options whether the payment counts as processed then.
   * @throws when the status is not a string or empty (`Error`).
   * @example
   * ```ts
   * sandbox.payouts.get(idPayout).setStatus('UNDER_REVIEW', { processed: false })
   * ```
   */
  setStatus(status: SandboxStatus, options?: StatusOptions): void
  /**
   * Sends the callback (again), with no change of status, in any form that a gateway might give it.
   *
   * @param form method, body and timing of the request; as the sandbox sends it by itself, without it.
   * @throws naming what is wrong with the form (`Error`).
   */
  sendCallback(form?: CallbackForm): void
}

/** The statuses that the sandbox takes as final. An assumption: section 3 names only SUCCESS. */
export const finalStatuses: ReadonlySet<string> = new Set(['SUCCESS', 'FAILED', 'EXPIRED'])

export interface PaymentEvents {
  now(): number
  /** A time that no skew moves. */
  monotonic(): number
  changed(payment: Payment): void
  callback(payment: Payment, form: CallbackForm | undefined, source: CallbackSource): void
}

export interface PaymentDetails {
  /** 1 for the first payment that the sandbox ever accepted, and so on. */
  readonly number: number
  readonly reference: string
  readonly expireAfterMs: number
  readonly notes: readonly string[]
}

/** The payment itself; what was asked for is in a private field, so that printing it shows no account. */
export class Payment implements SandboxPayment {
  readonly kind: PaymentKind
  readonly id: string
  readonly number: number
  readonly notes: readonly string[]
  readonly reference: string
  readonly createdAtMs: number
  /** When it was accepted, by the monotonic clock. */
  readonly acceptedAtMs: number
  readonly #request: PaymentRequest
  readonly #expireAtMs: number
  readonly #events: PaymentEvents
  readonly #history: CausedChange[]
  #processedAtMs: number | undefined

  constructor(
    kind: PaymentKind,
    id: string,
    request: PaymentRequest,
    details: PaymentDetails,
    events: PaymentEvents,
  ) {
    this.kind = kind
    this.id = id
    this.number = details.number
    this.notes = details.notes
    this.reference = details.reference
    this.#request = request
    this.#events = events
    this.createdAtMs = events.now()
    this.acceptedAtMs = events.monotonic()
    this.#expireAtMs = this.createdAtMs + details.expireAfterMs
    this.#history = [{ status: 'CREATED', at: this.createdAtMs, cause: 'gateway' }]
  }

  get status(): string {
    return this.#history.at(-1)?.status ?? 'CREATED'
  }
  get money(): SandboxMoney {
    return this.#request.money
  }
  get paymentMethodCode(): string {
    return this.#request.paymentMethodCode
  }
  get createdAt(): string {
    return iso(this.createdAtMs)
  }
  get processedAt(): string | undefined {
    return this.#processedAtMs === undefined ? undefined : iso(this.#processedAtMs)
  }
  get history(): readonly StatusChange[] {
    return this.#history.map(({ status, at }) => ({ status, at }))
  }
  get callbackUrl(): string | undefined {
    return this.#request.callbackUrl
  }

  /** What was asked for; not part of the public interface. */
  get request(): PaymentRequest {
    return this.#request
  }
  get changes(): readonly CausedChange[] {
    return [...this.#history]
  }
  get expireAt(): string {
    return iso(this.#expireAtMs)
  }
  /** Whether it was SUCCESS at any time: the account that the customer paid from stays known after a reversal. */
  get hasSucceeded(): boolean {
    return this.#history.some(({ status }) => status === 'SUCCESS')
  }

  pay(): void {
    this.setStatus('SUCCESS')
  }

  setStatus(status: string, options: StatusOptions = {}): void {
    this.change(status, 'code', options)
  }

  change(status: string, cause: StatusCause, options: StatusOptions = {}): void {
    if (typeof status !== 'string' || status === '') {
      throw new Error('setStatus(status) takes a status, such as FAILED.')
    }
    if (status === this.status) return
    const at = this.#events.now()
    const processed = options.processed ?? finalStatuses.has(status)
    this.#history.push({ status, at, cause })
    this.#processedAtMs = processed ? at : undefined
    this.#events.changed(this)
  }

  sendCallback(form?: CallbackForm): void {
    this.#events.callback(this, form, 'code')
  }

  sendCallbackFromPage(form?: CallbackForm): void {
    this.#events.callback(this, form, 'page')
  }

  toJSON(): Record<string, unknown> {
    const { kind, id, status, money, createdAt, processedAt } = this
    return { kind, id, status, money, createdAt, processedAt }
  }

  [Symbol.for('nodejs.util.inspect.custom')](): unknown {
    return this.toJSON()
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
