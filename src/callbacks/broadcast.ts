import type { PaymentKind } from '../index.js'

/** The payment that a callback was about. */
export interface CalledBack {
  /** Whether it is a payin or a payout. */
  readonly kind: PaymentKind
  /** Your id of it. */
  readonly id: string
}

/**
 * Carries word of callbacks from process to process, so that a callback which reaches one of them ends the waits of all:
 * the option `broadcast` of a receiver. `merchant-gateway/redis` and `merchant-gateway/postgres` have one each. Whoever
 * hears of a payment looks for itself, and nothing relies on it: where a message is lost, polling finds the payment.
 */
export interface CallbackBroadcast {
  /** Tells the other processes. It may fail: that costs nothing but time. */
  publish(payment: CalledBack): Promise<void> | void
  /**
   * Calls back for every payment that another process tells of.
   *
   * @returns what ends that.
   */
  subscribe(listener: (payment: CalledBack) => void): () => void
}
