import type { ScopeRules } from '../auth/scopes.js'
import type { TokenKeeper } from '../auth/token-keeper.js'
import type { Http } from '../http/http.js'
import { type CallOptions, checkCallOptions } from '../input/call-options.js'
import { type Route, routes } from '../routes.js'
import { anyShape, type CodeList, type MerchantInfo, merchantInfoShape } from '../schemas/account-data.js'
import type { AnswerShape } from '../schemas/shape.js'

/** What a method needs to make its request: the way to the gateway, and the tokens for it. */
export interface ResourceParts {
  readonly http: Http
  readonly tokens: TokenKeeper
  readonly scopes: ScopeRules
}

export async function readAccount<T>(
  { http, tokens, scopes }: ResourceParts,
  route: Route,
  shape: AnswerShape<T>,
  options: CallOptions | undefined,
  query = '',
): Promise<T> {
  return http.request(
    {
      route,
      path: route.template + query,
      token: { tokens, scope: scopes.family('account') },
      shape,
      about: { kind: 'account' },
    },
    checkCallOptions(options),
  )
}

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
   * @throws when no usable response came ({@link GatewayError}).
   * @example
   * const { channelInfo } = await client.merchantInfo.retrieve()
   * channelInfo?.name
   */
  retrieve(options?: CallOptions): Promise<MerchantInfo> {
    return readAccount(this.#parts, routes.merchantInfo, merchantInfoShape, options)
  }
}

/** A code list of the gateway (specification, section 4); new items may come at any time (section 9). */
export class Currencies {
  readonly #parts: ResourceParts

  /** @internal */
  constructor(parts: ResourceParts) {
    this.#parts = parts
  }

  /**
   * The currencies of the gateway. GET /currencies
   * The specification does not show the shape of the response (section 4, gaps).
   *
   * @throws when no usable response came ({@link GatewayError}).
   * @example
   * const currencies = await client.currencies.list()
   */
  list(options?: CallOptions): Promise<CodeList> {
    return readAccount(this.#parts, routes.currencies, anyShape, options)
  }
}

/** A code list of the gateway (specification, section 4); new items may come at any time (section 9). */
export class PaymentOperators {
  readonly #parts: ResourceParts

  /** @internal */
  constructor(parts: ResourceParts) {
    this.#parts = parts
  }

  /**
   * The payment operators of the gateway. GET /payment-operators
   * The specification does not show the shape of the response (section 4, gaps).
   *
   * @throws when no usable response came ({@link GatewayError}).
   * @example
   * const operators = await client.paymentOperators.list()
   */
  list(options?: CallOptions): Promise<CodeList> {
    return readAccount(this.#parts, routes.paymentOperators, anyShape, options)
  }
}
