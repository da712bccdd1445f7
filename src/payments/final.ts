/** What a status function looks at: any payment, as it came. */
export interface PaymentLike {
  readonly process?: {
    readonly status?: string
    readonly processedAt?: string
  }
}

/**
 * Whether a payment will not change any more. The specification names only SUCCESS (section 3), so a
 * payment is final when its status is that, or when it has been processed. An unknown status is not.
 */
export function isFinal(payment: PaymentLike): boolean {
  const { process } = payment
  if (process === undefined || process === null) return false
  return (
    process.status === 'SUCCESS' || (typeof process.processedAt === 'string' && process.processedAt !== '')
  )
}

/** The status of a payment, where it shows one. */
export function statusOf(payment: PaymentLike): string | undefined {
  const status: unknown = payment.process?.status
  return typeof status === 'string' ? status : undefined
}
