/**
 * The endpoints of section 4 by the names that `sandbox.fault` and the request log use. The last one's
 * path is a gap of the specification; its name stays the same when `customerAccountPath` changes it.
 */
export type RouteName =
  | 'POST /auth-tokens-by-action'
  | 'POST /auth-tokens'
  | 'POST /payins/!availablePaymentOptions'
  | 'GET /merchant-info'
  | 'POST /payins/{idPayin}'
  | 'GET /payins/{idPayin}'
  | 'POST /payouts/{idPayout}'
  | 'GET /payouts/{idPayout}'
  | 'GET /balances'
  | 'GET /currencies'
  | 'GET /payment-operators'
  | 'GET /payins/{idPayin}/customer-account'

export const routeNames: readonly RouteName[] = [
  'POST /auth-tokens-by-action',
  'POST /auth-tokens',
  'POST /payins/!availablePaymentOptions',
  'GET /merchant-info',
  'POST /payins/{idPayin}',
  'GET /payins/{idPayin}',
  'POST /payouts/{idPayout}',
  'GET /payouts/{idPayout}',
  'GET /balances',
  'GET /currencies',
  'GET /payment-operators',
  'GET /payins/{idPayin}/customer-account',
]

export interface Target {
  /** The path as sent, without the query and without the base path. */
  readonly path: string
  readonly query: string
  /** Undefined when the path exists with other methods only, or not at all. */
  readonly name: RouteName | undefined
  /** The methods that the path has; empty for a path that does not exist. */
  readonly allowed: readonly string[]
  /** The payment's id, decoded; null when its percent-encoding is broken. */
  readonly id: string | null | undefined
}
