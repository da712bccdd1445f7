import { type Account, accountSchema } from './account.js'
import { type Money, moneySchema } from './money.js'
import {
  type PayinMethodCode,
  type PaymentCreateInput,
  type PaymentMethodInput,
  type PaymentProcess,
  type PaymentRequested,
  paymentRequestedSchema,
  processSchema,
} from './payment.js'
import type { Shape } from './shape.js'
import * as z from './zod.js'

/** What the customer is to pay with (specification, section 2, payin create request). */
export interface PayinMethodInput extends PaymentMethodInput {
  /** `VAPAY`, or another code that `payins.paymentOptions` lists. */
  paymentMethodCode: PayinMethodCode
}

/** Request of `payins.create` (specification, section 2, payin create request). */
export interface PayinCreateInput extends PaymentCreateInput {
  /** Your order id: a UUID or another random string. Made when absent. */
  idPayin?: string
  /** What the customer is to pay with. */
  paymentMethod: PayinMethodInput
  /** URL where the customer returns to. */
  returnUrl?: string
}

/** How the customer pays (specification, section 2, payin create response). */
export interface PayinMethodResponse {
  /** Your id of the payin, from the path. */
  idPayin: string
  /** As in the request. */
  paymentMethodCode?: PayinMethodCode
  /** Not promised by the specification; compared after a 409 when it is there. */
  paymentOperatorCode?: string
  /** The customer's account, as in the request, with its bank. */
  account?: Account
  /** Amount to pay. */
  money?: Money
  /** Until when the customer can pay: ISO 8601, UTC, with milliseconds. */
  expireAt?: string
  /** Payment reference, for example of a virtual account. */
  reference?: string
  /** URL where the customer returns to, as in the request. */
  returnUrl?: string
}

/** The gateway's answer to a payin that it accepted. */
export interface PayinCreateResponse {
  /** The money that was asked for. */
  paymentRequested: PaymentRequested
  /** How the customer pays. */
  paymentMethodResponse: PayinMethodResponse
}

/**
 * A payin as `payins.retrieve` finds it. The specification does not show this response: every
 * field may be absent (docs/assumptions.md).
 */
export interface Payin {
  /** The money that was asked for. */
  paymentRequested?: PaymentRequested
  /** Where the payin stands. */
  process?: PaymentProcess
  /** How the customer pays. */
  paymentMethodResponse?: Partial<PayinMethodResponse>
}

/** What the customer can pay with (specification, section 2, payment option list). */
export interface PaymentOptions {
  /** One entry for each payment method. */
  data: PaymentOption[]
}

/** One payment method and its operators. */
export interface PaymentOption {
  /** For `paymentMethod.paymentMethodCode` of `payins.create`. */
  paymentMethodCode: PayinMethodCode
  /** The operators of that method. */
  paymentOperators: PaymentOptionOperator[]
}

/** An operator of a payment method (specification, section 2, payment option list). */
export interface PaymentOptionOperator {
  /** For `paymentMethod.paymentOperatorCode` of `payins.create`. */
  code: string
  /** Name to show to the customer. */
  name: string
}

/** Customer account data of a payin. The specification does not show its fields. */
export interface CustomerAccountData {
  /** Whatever the gateway sends. */
  [field: string]: unknown
}

const methodResponse = {
  paymentMethodCode: z.optional(z.string()),
  paymentOperatorCode: z.optional(z.string()),
  account: z.optional(accountSchema),
  money: z.optional(moneySchema),
  expireAt: z.optional(z.string()),
  reference: z.optional(z.string()),
  returnUrl: z.optional(z.string()),
}

export const payinCreateShape: Shape<PayinCreateResponse> = {
  schema: z.looseObject({
    paymentRequested: paymentRequestedSchema,
    paymentMethodResponse: z.looseObject({ idPayin: z.string(), ...methodResponse }),
  }),
  required: [
    'paymentRequested.money.amount',
    'paymentRequested.money.currencyCode',
    'paymentMethodResponse.idPayin',
  ],
}

export const payinShape: Shape<Payin> = {
  schema: z.looseObject({
    paymentRequested: z.optional(paymentRequestedSchema),
    process: z.optional(processSchema),
    paymentMethodResponse: z.optional(z.looseObject({ idPayin: z.optional(z.string()), ...methodResponse })),
  }),
  required: [],
}

export const paymentOptionsShape: Shape<PaymentOptions> = {
  schema: z.looseObject({
    data: z.array(
      z.looseObject({
        paymentMethodCode: z.string(),
        paymentOperators: z.array(z.looseObject({ code: z.string(), name: z.string() })),
      }),
    ),
  }),
  required: ['data'],
}

export const customerAccountShape: Shape<CustomerAccountData> = { schema: z.looseObject({}), required: [] }
