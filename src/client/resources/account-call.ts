import type { Scope, ScopeRules } from '../auth/scopes.js'
import type { TokenKeeper } from '../auth/token-keeper.js'
import type { Http } from '../http/http.js'
import type { CallOptions } from '../input/call-options.js'
import { meaningOfLookup } from '../payments/meaning.js'
import type { Shape } from '../schemas/shape.js'

/** What a method needs to make its request: the way to the gateway, and the tokens for it. */
export interface ResourceParts {
  readonly http: Http
  readonly tokens: TokenKeeper<Scope>
  readonly scopes: ScopeRules
}

/** Reads something that belongs to the merchant and not to one payment. */
export function readAccount<T>(
  { http, tokens, scopes }: ResourceParts,
  name: string,
  path: string,
  shape: Shape<T>,
  options: CallOptions | undefined,
  query = '',
): Promise<T> {
  return http.request(
    {
      name,
      method: 'GET',
      path: path + query,
      route: `GET ${path}`,
      lane: 'read',
      token: tokens.for(scopes.family('account')),
      shape,
      meaning: meaningOfLookup,
    },
    options,
  )
}
