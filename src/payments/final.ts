import type { PaymentStatus } from '../schemas/payment.js'

/** What a status function looks at: any payment, as it came. */
export interface PaymentLike {
  /** Where the payment stands. */
  readonly process?: {
    /** See {@link PaymentStatus}. */
    readonly status?: PaymentStatus
    /** When it was processed: ISO 8601, UTC. */
    readonly processedAt?: string
  }
}

/**
 * Whether a payment will not change any more. The specification names only SUCCESS (section 3), so a
 * payment is final when its status is that, or when it has been processed. An unknown status is not.
 *
 * @example
 * if (isFinal(payin)) await orders.close(payin)
 */
export function isFinal(payment: PaymentLike): boolean {
  const { process } = payment
  if (process === undefined || process === null) return false
  return (
    process.status === 'SUCCESS' || (typeof process.processedAt === 'string' && process.processedAt !== '')
  )
}

/**
 * The status of a payment, where it shows one.
 *
 * @example
 * if (statusOf(payin) === 'SUCCESS') await orders.markPaid(payin)
 */
export function statusOf(payment: PaymentLike): PaymentStatus | undefined {
  const status: unknown = payment.process?.status
  return typeof status === 'string' ? status : undefined
}
