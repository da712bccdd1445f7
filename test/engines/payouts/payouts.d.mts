import type { PaymentToSend } from '../../../src/jobs/index.js'

export function payoutOf(number: number): PaymentToSend<'payout'> & {
  readonly paymentRequested: { readonly money: { readonly amount: number } }
  readonly paymentMethod: { readonly account: { readonly accountNumber: string } }
}
