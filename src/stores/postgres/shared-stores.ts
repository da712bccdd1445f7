import type { SharedBudgetOptions } from '../budget/options.js'
import type { TokenEncryptionOptions } from '../sealed-token-store.js'
import type { SharedStores } from '../shared-stores.js'
import { postgresBudget } from './budget.js'
import type { PostgresStoreOptions } from './connection.js'
import { postgresSeen } from './seen.js'
import { postgresTokenStore } from './token-store.js'

/** What {@link sharedStores} takes; each store has more options of its own. */
export interface SharedStoresOptions
  extends PostgresStoreOptions,
    TokenEncryptionOptions,
    Pick<SharedBudgetOptions, 'processes'> {}

/**
 * All that the processes of a merchant share by PostgreSQL, in one call; run `schemaSql()` before: `postgresBudget`, `postgresTokenStore` and `postgresSeen`.
 * What they keep is under the account of the client that uses it, so merchants and gateways never meet.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const { seen, ...stores } = sharedStores({ connection: pool, encryptionKeys: [key], processes: 4 })
 * const client = GatewayClient.fromEnv(stores)
 */
export function sharedStores(options: SharedStoresOptions): SharedStores {
  const { encryptionKeys, processes, ...store } = { ...options }
  return {
    rateLimit: postgresBudget({ ...store, processes }),
    tokenStore: postgresTokenStore({ ...store, encryptionKeys }),
    seen: postgresSeen(store),
  }
}
