/**
 * What processes share by Redis.
 *
 * @module merchant-gateway/redis
 */

export type { SeenStatus, SeenStore } from '../../callbacks/index.js'
export type { SharedBudgetOptions } from '../budget/options.js'
export { BudgetStoreError } from '../budget/store.js'
export type { EncryptionKey } from '../seal.js'
export type { TokenEncryptionOptions } from '../sealed-token-store.js'
export type { SharedStores } from '../shared-stores.js'
export { type RedisBudgetOptions, redisBudget } from './budget.js'
export type {
  IoRedisConnection,
  NodeRedisClusterConnection,
  NodeRedisConnection,
  RedisConnection,
  RedisStoreOptions,
} from './connection.js'
export { type RedisSeenOptions, redisSeen } from './seen.js'
export { type SharedStoresOptions, sharedStores } from './shared-stores.js'
export { type RedisTokenStoreOptions, redisTokenStore } from './token-store.js'
