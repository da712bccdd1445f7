import type { CallOptions } from '../input/call-options.js'
import { type MerchantInfo, merchantInfoShape } from '../schemas/account-data.js'
import { type ResourceParts, readAccount } from './account-call.js'

/** What the platform knows of the merchant (specification, section 2). */
export class MerchantInfoResource {
  readonly #parts: ResourceParts

  /** @internal */
  constructor(parts: ResourceParts) {
    this.#parts = parts
  }

  /**
   * The merchant, as the platform knows it. GET /merchant-info
   *
   * @throws {GatewayError} when no usable answer came.
   * @example
   * const { channelInfo } = await client.merchantInfo.retrieve()
   * channelInfo?.name
   */
  retrieve(options?: CallOptions): Promise<MerchantInfo> {
    return readAccount(this.#parts, 'merchantInfo.retrieve', '/merchant-info', merchantInfoShape, options)
  }
}
