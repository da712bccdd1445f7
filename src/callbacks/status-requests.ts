import {
  type CallbackLookUps,
  type CallbackPort,
  isGatewayError,
  type PaymentKind,
  type PaymentLike,
  statusOf,
} from '../index.js'
import { afterRequest, gapMs, type Requests } from './decisions.js'
import { type DeliveredStatus, Newest } from './dedupe.js'
import type { Report } from './payment-record.js'

/** A payment as it is now; or why it can't be had. */
export type Reading<P> =
  | { readonly payment: P; readonly error?: undefined }
  | { readonly payment?: undefined; readonly error: unknown }

export interface StatusRequestParts {
  readonly port: CallbackPort
  readonly draining: AbortSignal
  readonly report: Report
  /** A callback brought a status that was not known. */
  readonly onNewStatus: () => void
}

/** Requests the status of payments of one kind, and knows how often for callbacks. No method rejects. */
export class StatusRequests<P extends PaymentLike> {
  readonly #kind: PaymentKind
  readonly #lookups: CallbackLookUps<P>
  readonly #parts: StatusRequestParts
  readonly #made = new Newest<Requests>()

  constructor(kind: PaymentKind, lookups: CallbackLookUps<P>, parts: StatusRequestParts) {
    this.#kind = kind
    this.#lookups = lookups
    this.#parts = parts
  }

  /** How long the next one for this payment has to wait, in milliseconds. */
  gapMs(id: string): number {
    return gapMs(this.#made.get(id), performance.now())
  }

  /** Another process has dealt with the payment: whoever waits for it requests its status at once. */
  changed(id: string): void {
    this.#lookups.changed?.(id)
  }

  /** It counts as a request of this process. */
  leftToQueue(id: string): void {
    this.#note(id, undefined)
  }

  /** A 404 proves nothing, and is not reported. */
  async forCallback(id: string, onSent: () => void): Promise<Reading<P>> {
    const { draining, report } = this.#parts
    try {
      draining.throwIfAborted()
      const payment = await this.#lookups.lookUp(id, 'callback', { signal: draining }, onSent)
      this.#note(id, { status: this.read(payment).status })
      this.#lookups.seen(id, payment)
      return { payment }
    } catch (error) {
      if (draining.aborted) return { error }
      this.#note(id, undefined)
      const notVisibleYet = isGatewayError(error) && error.code === 'not_found'
      if (!notVisibleYet) report(error, { kind: this.#kind, id, during: 'lookup' })
      return { error }
    } finally {
      onSent()
    }
  }

  /** For `catchUp`: with the lowest priority, and without a report. */
  async poll(id: string, signal: AbortSignal): Promise<Reading<P>> {
    try {
      const payment = await this.#lookups.lookUp(id, 'poll', { signal })
      this.#lookups.seen(id, payment)
      return { payment }
    } catch (error) {
      return { error }
    }
  }

  read(payment: P): DeliveredStatus {
    const { port } = this.#parts
    return { status: (port.statusOf ?? statusOf)(payment), final: port.isFinal(payment) }
  }

  #note(id: string, shown: Requests['shown']): void {
    const made = afterRequest(this.#made.get(id), shown, performance.now())
    this.#made.set(id, made)
    if (made.unchanged === 0) this.#parts.onNewStatus()
  }
}
