import { optionWords, type Rows, read } from '../../client/input/reader.js'
import { ConfigurationError, type TokenStore } from '../../index.js'
import { encryptionRows, sealedTokenStore, type TokenEncryptionOptions } from '../sealed-token-store.js'
import { type PostgresStoreOptions, postgresRows, tableName } from './connection.js'
import { postgresText, sweep } from './shared-text.js'

/** Options of {@link postgresTokenStore}. */
export interface PostgresTokenStoreOptions extends PostgresStoreOptions, TokenEncryptionOptions {}

const rows = { ...postgresRows, ...encryptionRows } satisfies Rows<PostgresTokenStoreOptions>

/**
 * Keeps the tokens of clients in PostgreSQL, encrypted, so that one token request serves all processes: the option
 * `tokenStore` of a client. Lives are counted by the clock of the server. The table comes with `schemaSql`.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const tokenStore = postgresTokenStore({ connection: pool, encryptionKeys: [process.env.TOKEN_KEY] })
 * const client = GatewayClient.fromEnv({ tokenStore })
 */
export function postgresTokenStore(options: PostgresTokenStoreOptions): TokenStore {
  const words = optionWords(ConfigurationError, 'postgresTokenStore', 'connection and encryptionKeys')
  const { connection, encryptionKeys, schema } = read(options, rows, words)
  const table = tableName('tokens', schema)
  const store = sealedTokenStore((key) => postgresText(connection, table, key), encryptionKeys)
  return {
    ...store,
    async put(...token) {
      const version = await store.put(...token)
      await sweep(connection, table)
      return version
    },
  }
}
