import type { CallOptions } from '../http/call.js'
import { type MerchantInfo as MerchantInformation, merchantInfoShape } from '../schemas/account-data.js'
import { type AccountCalls, accountCall } from './account-call.js'

/** What the platform knows of the merchant (specification, section 2). */
export class MerchantInfo {
  readonly #calls: AccountCalls

  /** @internal */
  constructor(calls: AccountCalls) {
    this.#calls = calls
  }

  /** GET /merchant-info */
  retrieve(options?: CallOptions): Promise<MerchantInformation> {
    return this.#calls.exchange.value(accountCall(this.#calls, '/merchant-info', merchantInfoShape, options))
  }
}
