import type { PayoutToSend } from '../../../src/jobs/index.js'

export function payoutOf(line: number): PayoutToSend
export function payouts(count: number): Generator<PayoutToSend>
