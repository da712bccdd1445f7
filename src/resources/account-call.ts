import type { Scope, ScopeRules } from '../auth/scopes.js'
import type { Call } from '../http/call.js'
import type { CallOptions } from '../http/call-options.js'
import type { Exchange } from '../http/exchange.js'
import { meaningOfLookup } from '../payments/meaning.js'
import type { Shape } from '../schemas/shape.js'

/** What the readers of account data share. */
export interface AccountCalls {
  readonly exchange: Exchange<Scope>
  readonly scopes: ScopeRules
}

/** A GET of something that belongs to the merchant and not to one payment. */
export function accountCall<T>(
  { scopes }: AccountCalls,
  name: string,
  path: string,
  shape: Shape<T>,
  options: CallOptions | undefined,
  query = '',
): Call<Scope, T> {
  return {
    name,
    method: 'GET',
    path: path + query,
    route: `GET ${path}`,
    lane: 'read',
    scope: scopes.family('account'),
    shape,
    meaning: meaningOfLookup,
    options,
  }
}
