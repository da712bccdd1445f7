import { optionReader } from '../../client/input/check.js'
import { ConfigurationError, type TokenCache } from '../../index.js'
import { type RedisConnection, redisShape, send } from './connection.js'

const read = optionReader(
  ConfigurationError,
  'redisTokenCache',
  { connection: redisShape.connection },
  'connection',
)

/**
 * Keeps the sealed tokens of short-lived processes in Redis: the option `tokenCache` of a client.
 *
 * @param connection your client or cluster of ioredis or of redis (node-redis), connected.
 * @throws for what is no such client, such as an object of options ({@link ConfigurationError}).
 * @example
 * const client = GatewayClient.fromEnv({ tokenCache: redisTokenCache(new Redis(process.env.REDIS_URL)) })
 */
export function redisTokenCache(connection: RedisConnection): TokenCache {
  read({ connection })
  return {
    async get(key) {
      const text = await send(connection, 'GET', key)
      return text === null || text === undefined ? undefined : String(text)
    },
    set: (key, text, forMs) => send(connection, 'SET', key, text, 'PX', String(forMs)),
  }
}
