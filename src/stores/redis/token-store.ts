import { optionWords, type Rows, read } from '../../client/input/reader.js'
import { ConfigurationError, type TokenStore } from '../../index.js'
import { encryptionRows, sealedTokenStore, type TokenEncryptionOptions } from '../sealed-token-store.js'
import { type RedisStoreOptions, redisRows } from './connection.js'
import { redisText } from './shared-text.js'

/** Options of {@link redisTokenStore}. */
export interface RedisTokenStoreOptions extends RedisStoreOptions, TokenEncryptionOptions {}

const rows = { ...redisRows, ...encryptionRows } satisfies Rows<RedisTokenStoreOptions>

/**
 * Keeps the tokens of clients in Redis, encrypted, so that one token request serves all processes: the option
 * `tokenStore` of a client. Lives are counted by the clock of Redis. Redis 5 or newer.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const tokenStore = redisTokenStore({ connection: new Redis(url), encryptionKeys: [process.env.TOKEN_KEY] })
 * const client = GatewayClient.fromEnv({ tokenStore })
 */
export function redisTokenStore(options: RedisTokenStoreOptions): TokenStore {
  const words = optionWords(ConfigurationError, 'redisTokenStore', 'connection and encryptionKeys')
  const { connection, encryptionKeys, prefix } = read(options, rows, words)
  // In a cluster, the braces are what the key's place is told by.
  const textOf = (key: string) => redisText(connection, `${prefix}:token:{${key}}`)
  return sealedTokenStore(textOf, encryptionKeys)
}
