import { optionReader, type Shape } from '../../client/input/check.js'
import { ConfigurationError, type Limiter } from '../../index.js'
import { rateLimitShape, type SharedRateLimitOptions } from '../rate-limit/options.js'
import { rateLimitPerAccount } from '../rate-limit/shared-rate-limit.js'
import { type RedisStoreOptions, redisShape } from './connection.js'
import { redisText } from './shared-text.js'

/** What {@link redisRateLimit} takes. */
export interface RedisRateLimitOptions extends SharedRateLimitOptions, RedisStoreOptions {}

const shape = { ...redisShape, ...rateLimitShape } satisfies Shape<RedisRateLimitOptions>

const read = optionReader(ConfigurationError, 'redisRateLimit', shape, 'connection')

/**
 * One rate limit for many processes, in Redis 5 or newer: the option `rateLimit` of every client that
 * shares it. Each merchant has its own at each gateway. A permit costs two calls of Redis.
 *
 * @throws naming the option that is unknown, missing or wrong ({@link ConfigurationError}).
 * @example
 * const rateLimit = redisRateLimit({ connection: new Redis(process.env.REDIS_URL), processes: 8 })
 * const client = GatewayClient.fromEnv({ rateLimit })
 */
export function redisRateLimit(options: RedisRateLimitOptions): Limiter {
  const { connection, prefix, ...parts } = read(options)
  return rateLimitPerAccount({
    ...parts,
    // In a cluster, the braces are what the key's place is told by: each limit has one.
    storeOf: (name) => redisText(connection, `${prefix}:ledger:{${name}}`),
  })
}
