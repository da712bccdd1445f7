import * as z from '../input/zod.js'
import { type Money, moneySchema } from './money.js'
import {
  type PaymentCreateInput,
  type PaymentMethodInput,
  type PaymentProcess,
  type PaymentRequested,
  type PayoutMethodCode,
  paymentRequestedSchema,
  processSchema,
} from './payment.js'
import { shapeOf } from './shape.js'

/** Where the money is to go (specification, section 2, payout create request). */
export interface PayoutMethodInput extends PaymentMethodInput {
  /** `BANK_TRANSFER`, or another code of the gateway. */
  paymentMethodCode: PayoutMethodCode
}

/** Request of `payouts.create` (specification, section 2, payout create request). */
export interface PayoutCreateInput extends PaymentCreateInput {
  /** Your order id: a UUID or another random string. Made when absent. */
  idPayout?: string
  /** Where the money is to go. */
  paymentMethod: PayoutMethodInput
}

/** What the gateway says of the payment method of a payout. */
export interface PayoutMethodResponse {
  /** Your id of the payout, from the path. */
  idPayout: string
  /** As in the request. */
  paymentMethodCode?: PayoutMethodCode | null
}

/** The gateway's response to a payout that it accepted (specification, section 2). */
export interface PayoutCreateResponse {
  /** The money that was asked for. */
  paymentRequested: PaymentRequested
  /** The payout's id and method. */
  paymentMethodResponse: PayoutMethodResponse
}

/** A payout as `payouts.retrieve` finds it (specification, section 2, payout status response). */
export interface Payout {
  /** The money that was asked for. */
  paymentRequested: PaymentRequested
  /** Where the payout stands. */
  process: PaymentProcess
  /** Fee charged. */
  fee?: Money | null
  /** The payout's id and method. */
  paymentMethodResponse: PayoutMethodResponse
}

const methodResponse = z.looseObject({
  idPayout: z.string(),
  paymentMethodCode: z.nullish(z.code<'BANK_TRANSFER'>()),
})

export const payoutCreateShape = shapeOf<PayoutCreateResponse>()(
  z.looseObject({ paymentRequested: paymentRequestedSchema, paymentMethodResponse: methodResponse }),
)

export const payoutShape = shapeOf<Payout>()(
  z.looseObject({
    paymentRequested: paymentRequestedSchema,
    process: processSchema,
    fee: z.nullish(moneySchema),
    paymentMethodResponse: methodResponse,
  }),
)
