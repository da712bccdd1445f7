import type { PaymentToSend } from '../../../src/jobs/index.js'

export function payoutOf(line: number): PaymentToSend<'payout'>
export function payouts(count: number): Generator<PaymentToSend<'payout'>>
