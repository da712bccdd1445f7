import * as z from '../input/zod.js'
import { shapeOf } from './shape.js'

/** Merchant information (specification, section 2). */
export interface MerchantInfo {
  /** The channel through which the merchant is seen. Missing only where the gateway breaks its promise. */
  channelInfo?: {
    /** Merchant channel name as configured in the platform. */
    name: string
  } | null
}

/**
 * Balances, currencies and payment operators: the specification does not show these responses
 * (section 4, gaps), so they are whatever JSON the gateway sends.
 */
export type CodeList = unknown

export const merchantInfoShape = shapeOf<MerchantInfo>()(
  z.looseObject({ channelInfo: z.promised(z.looseObject({ name: z.string() })) }),
)

/** For responses that the specification does not show: any JSON fits. */
export const anyShape = shapeOf<unknown>()(z.unknown())
