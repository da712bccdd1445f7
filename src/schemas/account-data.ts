import type { Shape } from './shape.js'
import * as z from './zod.js'

/** Merchant information (specification, section 2). */
export interface MerchantInfo {
  /** The channel through which the merchant is seen. */
  channelInfo: {
    /** Merchant channel name as configured in the platform. */
    name: string
  }
}

/**
 * Balances, currencies and payment operators: the specification does not show these responses
 * (section 4, gaps), so they are whatever JSON the gateway sends.
 */
export type CodeList = unknown

export const merchantInfoShape: Shape<MerchantInfo> = {
  schema: z.looseObject({ channelInfo: z.looseObject({ name: z.string() }) }),
  required: [],
}

/** For responses that the specification does not show: any JSON fits. */
export const anyShape: Shape<unknown> = { schema: z.unknown(), required: [] }
