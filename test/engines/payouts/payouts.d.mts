import type { PayoutToSend } from '../../../src/payments/job/index.js'

export function payoutOf(line: number): PayoutToSend
export function payouts(count: number): Generator<PayoutToSend>
