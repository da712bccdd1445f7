import type { PaymentKind } from 'merchant-gateway'
import type { BalanceCounts } from './types.js'

/** What a payment's own status is to the balance. */
export interface Standing {
  readonly status: string | undefined
  readonly paid: boolean
  readonly final: boolean
}

/**
 * What of a payment the balance holds.
 *
 * @param ownStatus what your own system has.
 */
export function countedOf(
  kind: PaymentKind,
  { status, paid, final }: Standing,
  ownStatus: string | undefined,
  { pendingPayins = false, pendingPayouts = false, fees = 'with-payment' }: BalanceCounts,
): { readonly payment: boolean; readonly fee: boolean } {
  const isPending = !final && status !== undefined
  const payment = paid || (isPending && (kind === 'payin' ? pendingPayins : pendingPayouts))
  // A pending payout that counts has counted, whatever has become of it.
  const hasCounted = kind === 'payout' && pendingPayouts && status !== undefined
  const wasIn = payment || ownStatus === 'SUCCESS' || hasCounted
  return { payment, fee: fees === 'with-payment' ? payment : fees === 'kept' && wasIn }
}
