import type { CallOptions } from '../input/call-options.js'
import { anyShape, type CodeList } from '../schemas/account-data.js'
import { type ResourceParts, readAccount } from './account-call.js'

/** A code list of the gateway (specification, section 4); new items may come at any time (section 9). */
export class Currencies {
  readonly #parts: ResourceParts

  /** @internal */
  constructor(parts: ResourceParts) {
    this.#parts = parts
  }

  /**
   * The currencies of the gateway. GET /currencies
   * The specification does not show the shape of the answer (section 4, gaps).
   *
   * @throws {GatewayError} when no usable answer came.
   * @example
   * const currencies = await client.currencies.list()
   */
  list(options?: CallOptions): Promise<CodeList> {
    return readAccount(this.#parts, 'currencies.list', '/currencies', anyShape, options)
  }
}
