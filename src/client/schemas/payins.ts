import * as z from '../input/zod.js'
import { type Money, moneySchema } from './money.js'
import {
  type Account,
  accountSchema,
  type PayinMethodCode,
  type PaymentCreateInput,
  type PaymentMethodInput,
  type PaymentProcess,
  type PaymentRequested,
  paymentRequestedSchema,
  processSchema,
} from './payment.js'
import { shapeOf } from './shape.js'

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
  returnUrl?: string | undefined
}

/** What the gateway may say of how the customer pays (specification, section 2, payin create response). */
export interface PayinMethodFields {
  /** As in the request. */
  paymentMethodCode?: PayinMethodCode | null
  /** Not promised by the specification; compared after a 409 when it is there. */
  paymentOperatorCode?: string | null
  /** The customer's account, as in the request, with its bank. */
  account?: Account | null
  /** Amount to pay. */
  money?: Money | null
  /** Until when the customer can pay: ISO 8601, UTC, with milliseconds. */
  expireAt?: string | null
  /** Payment reference, for example of a virtual account. */
  reference?: string | null
  /** URL where the customer returns to, as in the request. */
  returnUrl?: string | null
}

/** How the customer pays a payin that was created now (specification, section 2, payin create response). */
export interface PayinMethodResponse extends PayinMethodFields {
  /** Your id of the payin, from the path. */
  idPayin: string
}

/** How the customer pays a payin that was found: nothing of it is promised (docs/assumptions.md). */
export interface FoundPayinMethod extends PayinMethodFields {
  /** Your id of the payin, from the path. */
  idPayin?: string | null
}

/** The gateway's response to a payin that it accepted. */
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
  paymentRequested?: PaymentRequested | null
  /** Where the payin stands. */
  process?: PaymentProcess | null
  /** How the customer pays. */
  paymentMethodResponse?: FoundPayinMethod | null
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

const methodFields = {
  paymentMethodCode: z.nullish(z.code<'VAPAY'>()),
  paymentOperatorCode: z.nullish(z.string()),
  account: z.nullish(accountSchema),
  money: z.nullish(moneySchema),
  expireAt: z.nullish(z.string()),
  reference: z.nullish(z.string()),
  returnUrl: z.nullish(z.string()),
}

export const payinCreateShape = shapeOf<PayinCreateResponse>()(
  z.looseObject({
    paymentRequested: paymentRequestedSchema,
    paymentMethodResponse: z.looseObject({ idPayin: z.string(), ...methodFields }),
  }),
)

export const payinShape = shapeOf<Payin>()(
  z.looseObject({
    paymentRequested: z.nullish(paymentRequestedSchema),
    process: z.nullish(processSchema),
    paymentMethodResponse: z.nullish(z.looseObject({ idPayin: z.nullish(z.string()), ...methodFields })),
  }),
)

export const paymentOptionsShape = shapeOf<PaymentOptions>()(
  z.looseObject({
    data: z.array(
      z.looseObject({
        paymentMethodCode: z.code<'VAPAY'>(),
        paymentOperators: z.array(z.looseObject({ code: z.string(), name: z.string() })),
      }),
    ),
  }),
)

const anyFields: z.Schema<Record<string, unknown>> = z.looseObject({})

export const customerAccountShape = shapeOf<CustomerAccountData>()(anyFields)
