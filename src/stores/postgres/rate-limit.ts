import { optionReader, type Shape } from '../../client/input/check.js'
import { ConfigurationError, type Limiter } from '../../index.js'
import { rateLimitShape, type SharedRateLimitOptions } from '../rate-limit/options.js'
import { rateLimitPerAccount } from '../rate-limit/shared-rate-limit.js'
import { type PostgresStoreOptions, postgresShape, tableName } from './connection.js'
import { postgresText } from './shared-text.js'

/** What {@link postgresRateLimit} takes. */
export interface PostgresRateLimitOptions extends SharedRateLimitOptions, PostgresStoreOptions {}

const shape = { ...postgresShape, ...rateLimitShape } satisfies Shape<PostgresRateLimitOptions>

const read = optionReader(ConfigurationError, 'postgresRateLimit', shape, 'connection')

/**
 * One rate limit for many processes, in PostgreSQL 12 or newer: the option `rateLimit` of every client that
 * shares it. Each merchant has its own at each gateway. A permit costs two statements. Run `schemaSql()` before.
 *
 * @throws naming the option that is unknown, missing or wrong ({@link ConfigurationError}).
 * @example
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL })
 * await pool.query(schemaSql())
 * const client = GatewayClient.fromEnv({ rateLimit: postgresRateLimit({ connection: pool, processes: 8 }) })
 */
export function postgresRateLimit(options: PostgresRateLimitOptions): Limiter {
  const { connection, schema: name, ...parts } = read(options)
  const table = tableName('ledger', name)
  return rateLimitPerAccount({ ...parts, storeOf: (name) => postgresText(connection, table, name) })
}
