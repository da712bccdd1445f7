/**
 * What processes share by Redis.
 *
 * @module merchant-gateway/redis
 */

export type { SeenStatus, SeenStore } from '../../callbacks/index.js'
export type { SharedBudgetOptions } from '../budget/options.js'
export { BudgetStoreError } from '../budget/store.js'
export { type RedisBudgetOptions, redisBudget } from './budget.js'
export type {
  IoRedisConnection,
  NodeRedisClusterConnection,
  NodeRedisConnection,
  RedisConnection,
  RedisStoreOptions,
} from './connection.js'
export { type RedisSeenOptions, redisSeen } from './seen.js'
export { redisTokenCache } from './token-cache.js'
