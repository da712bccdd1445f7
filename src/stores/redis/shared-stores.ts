import type { SharedBudgetOptions } from '../budget/options.js'
import type { TokenEncryptionOptions } from '../sealed-token-store.js'
import type { SharedStores } from '../shared-stores.js'
import { redisBudget } from './budget.js'
import type { RedisStoreOptions } from './connection.js'
import { redisSeen } from './seen.js'
import { redisTokenStore } from './token-store.js'

/** What {@link sharedStores} takes; each store has more options of its own. */
export interface SharedStoresOptions
  extends RedisStoreOptions,
    TokenEncryptionOptions,
    Pick<SharedBudgetOptions, 'processes'> {}

/**
 * All that the processes of a merchant share by Redis, in one call: `redisBudget`, `redisTokenStore` and `redisSeen`.
 * What they keep is under the account of the client that uses it, so merchants and gateways never meet.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const { seen, ...stores } = sharedStores({ connection: new Redis(url), encryptionKeys: [key], processes: 4 })
 * const client = GatewayClient.fromEnv(stores)
 */
export function sharedStores(options: SharedStoresOptions): SharedStores {
  const { encryptionKeys, processes, ...store } = { ...options }
  return {
    rateLimit: redisBudget({ ...store, processes }),
    tokenStore: redisTokenStore({ ...store, encryptionKeys }),
    seen: redisSeen(store),
  }
}
