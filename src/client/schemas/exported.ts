import { type MerchantInfo, merchantInfoShape } from './account-data.js'
import {
  type Payin,
  type PayinCreateResponse,
  type PaymentOptions,
  payinCreateShape,
  payinShape,
  paymentOptionsShape,
} from './payins.js'
import { type Payout, type PayoutCreateResponse, payoutCreateShape, payoutShape } from './payouts.js'
import { type AnswerShape, inspectShape, isUsable } from './shape.js'
import type { StandardSchema } from './standard-schema.js'

/** The gateway's responses as Standard Schemas, for tests and stores of your own. */
export interface GatewaySchemas {
  /** The response to `payins.create`. */
  readonly payinCreateResponse: StandardSchema<PayinCreateResponse>
  /** A payin, as `payins.retrieve` finds it. */
  readonly payin: StandardSchema<Payin>
  /** The response to `payouts.create`. */
  readonly payoutCreateResponse: StandardSchema<PayoutCreateResponse>
  /** A payout, as `payouts.retrieve` finds it. */
  readonly payout: StandardSchema<Payout>
  /** The response to `payins.paymentOptions`. */
  readonly paymentOptions: StandardSchema<PaymentOptions>
  /** The response to `merchantInfo.retrieve`. */
  readonly merchantInfo: StandardSchema<MerchantInfo>
}

/**
 * The gateway's responses as Standard Schemas: any library that takes those takes these. As strict as
 * the client is: what a caller can't do without must be there, and unknown fields stay.
 *
 * @example
 * const result = await schemas.payout['~standard'].validate(JSON.parse(stored))
 * if (result.issues === undefined) result.value.process.status
 */
export const schemas: GatewaySchemas = {
  payinCreateResponse: standardSchema(payinCreateShape),
  payin: standardSchema(payinShape),
  payoutCreateResponse: standardSchema(payoutCreateShape),
  payout: standardSchema(payoutShape),
  paymentOptions: standardSchema(paymentOptionsShape),
  merchantInfo: standardSchema(merchantInfoShape),
}

function standardSchema<T>(shape: AnswerShape<T>): StandardSchema<T> {
  return {
    '~standard': {
      version: 1,
      vendor: 'merchant-gateway',
      validate(value) {
        const report = inspectShape(shape, value)
        if (isUsable(shape, value, report)) return { value }
        return { issues: (report?.unusable ?? []).map((message) => ({ message })) }
      },
    },
  }
}
