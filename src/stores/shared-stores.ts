import type { SeenStore } from '../callbacks/index.js'
import type { Limiter, TokenStore } from '../index.js'

/** Options of a client, and of a `CallbackReceiver`. */
export interface SharedStores {
  /** One budget of requests: the option `rateLimit` of a client. */
  readonly rateLimit: Limiter
  /** One token: the option `tokenStore` of a client. */
  readonly tokenStore: TokenStore
  /** What your functions have dealt with: the option `seen` of a `CallbackReceiver`. */
  readonly seen: SeenStore
}
