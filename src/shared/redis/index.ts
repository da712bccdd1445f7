/**
 * What processes share by Redis.
 *
 * @module merchant-gateway/redis
 */

export type { CallbackBroadcast, CalledBack, SeenStatus, SeenStore } from '../../callbacks/index.js'
export type { SharedBudgetOptions } from '../budget/options.js'
export { BudgetStoreError } from '../budget/store.js'
export type { EncryptionKey } from '../stores/encryption-keys.js'
export { type RedisBroadcast, type RedisBroadcastOptions, redisBroadcast } from './broadcast.js'
export { type RedisBudgetOptions, redisBudget } from './budget.js'
export type {
  IoRedisConnection,
  NodeRedisClusterConnection,
  NodeRedisConnection,
  RedisConnection,
} from './commands.js'
export { type RedisSeenOptions, redisSeen } from './seen.js'
export type { IoRedisSubscriber, NodeRedisSubscriber } from './subscriptions.js'
export { type RedisTokenStoreOptions, redisTokenStore } from './token-store.js'
