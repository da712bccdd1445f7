/**
 * What processes share by Redis.
 *
 * @module merchant-gateway/redis
 */

export type { DedupeStore, DeliveredStatus } from '../../callbacks/index.js'
export type { SharedRateLimitOptions } from '../rate-limit/options.js'
export { RateLimitStoreError } from '../rate-limit/store.js'
export type {
  IoRedisConnection,
  NodeRedisClusterConnection,
  NodeRedisConnection,
  RedisConnection,
  RedisStoreOptions,
} from './connection.js'
export { type RedisDedupeOptions, redisDedupe } from './dedupe.js'
export { type RedisRateLimitOptions, redisRateLimit } from './rate-limit.js'
export { redisTokenCache } from './token-cache.js'
