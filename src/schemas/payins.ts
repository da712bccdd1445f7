import * as z from 'zod/mini'
import { type Account, accountSchema } from './account.js'
import { type Money, moneySchema } from './money.js'
import {
  type PaymentCreateInput,
  type PaymentProcess,
  type PaymentRequested,
  paymentRequestedSchema,
  processSchema,
} from './payment.js'
import type { Shape } from './shape.js'

/** Request of `payins.create` (specification, section 2, payin create request). */
export interface PayinCreateInput extends PaymentCreateInput {
  /** Your order id: a UUID or another random string. Made when absent. */
  idPayin?: string
  /** Where the customer returns to. */
  returnUrl?: string
}

/** How the customer pays (specification, section 2, payin create response). */
export interface PayinMethodResponse {
  idPayin: string
  paymentMethodCode?: string
  /** Not promised by the specification; compared after a 409 when it is there. */
  paymentOperatorCode?: string
  /** The customer's account, as in the request, with its bank. */
  account?: Account
  /** Amount to pay. */
  money?: Money
  /** ISO 8601, UTC, with milliseconds. */
  expireAt?: string
  /** Payment reference, for example of a virtual account. */
  reference?: string
  returnUrl?: string
}

/** The gateway's answer to a payin that it accepted. */
export interface PayinCreateResponse {
  paymentRequested: PaymentRequested
  paymentMethodResponse: PayinMethodResponse
}

/**
 * A payin as `payins.retrieve` finds it. The specification does not show this response: every
 * field may be absent (docs/assumptions.md).
 */
export interface Payin {
  paymentRequested?: PaymentRequested
  process?: PaymentProcess
  paymentMethodResponse?: Partial<PayinMethodResponse>
}

/** What the customer can pay with (specification, section 2, payment option list). */
export interface PaymentOptions {
  data: PaymentOption[]
}

/** One payment method and its operators. */
export interface PaymentOption {
  paymentMethodCode: string
  paymentOperators: { code: string; name: string }[]
}

/** Customer account data of a payin. The specification does not show its fields. */
export interface CustomerAccountData {
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
