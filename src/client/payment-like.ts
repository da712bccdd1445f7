/** What a status function looks at: any payment, as it came. Results of `create` are payments too. */
export interface PaymentLike {
  /** Where the payment stands. */
  readonly process?:
    | {
        /** `SUCCESS`, or a status that the specification does not name (section 3). */
        readonly status?: string | null | undefined
        /** When it was processed: ISO 8601, UTC. */
        readonly processedAt?: string | null | undefined
      }
    | null
    | undefined
  /** The money that was asked for. Nothing is read from it here. */
  readonly paymentRequested?: unknown
  /** The payment's id and method. Nothing is read from it here. */
  readonly paymentMethodResponse?: unknown
}
