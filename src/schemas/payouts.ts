import * as z from 'zod/mini'
import { type Money, moneySchema } from './money.js'
import {
  type PaymentCreateInput,
  type PaymentProcess,
  type PaymentRequested,
  paymentRequestedSchema,
  processSchema,
} from './payment.js'
import type { Shape } from './shape.js'

/** Request of `payouts.create` (specification, section 2, payout create request). */
export interface PayoutCreateInput extends PaymentCreateInput {
  /** Your order id: a UUID or another random string. Made when absent. */
  idPayout?: string
}

/** What the gateway says of the payment method of a payout. */
export interface PayoutMethodResponse {
  idPayout: string
  paymentMethodCode?: string
}

/** The gateway's answer to a payout that it accepted (specification, section 2). */
export interface PayoutCreateResponse {
  paymentRequested: PaymentRequested
  paymentMethodResponse: PayoutMethodResponse
}

/** A payout as `payouts.retrieve` finds it (specification, section 2, payout status response). */
export interface Payout {
  paymentRequested: PaymentRequested
  process: PaymentProcess
  /** Fee charged. */
  fee?: Money
  paymentMethodResponse: PayoutMethodResponse
}

const methodResponse = z.looseObject({
  idPayout: z.string(),
  paymentMethodCode: z.optional(z.string()),
})

const createRequired = [
  'paymentRequested.money.amount',
  'paymentRequested.money.currencyCode',
  'paymentMethodResponse.idPayout',
]

export const payoutCreateShape: Shape<PayoutCreateResponse> = {
  schema: z.looseObject({ paymentRequested: paymentRequestedSchema, paymentMethodResponse: methodResponse }),
  required: createRequired,
}

export const payoutShape: Shape<Payout> = {
  schema: z.looseObject({
    paymentRequested: paymentRequestedSchema,
    process: processSchema,
    fee: z.optional(moneySchema),
    paymentMethodResponse: methodResponse,
  }),
  required: [...createRequired, 'process.status'],
}
