import { randomInt } from 'node:crypto'
import { optionReader, type Shape } from '../../client/input/check.js'
import { ConfigurationError, type Limiter } from '../../index.js'
import { rateLimitShape, type SharedRateLimitOptions } from '../rate-limit/options.js'
import { rateLimitPerAccount } from '../rate-limit/shared-rate-limit.js'
import type { SharedText, TextReading } from '../rate-limit/store.js'
import { type PostgresConnection, type PostgresStoreOptions, postgresShape, tableName } from './connection.js'

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

function postgresText(connection: PostgresConnection, table: string, key: string): SharedText {
  const select = `
SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now, version::text AS version,
  left(text, $2::int) AS text
FROM (VALUES (1)) AS always LEFT JOIN ${table} ON key = $1`
  const write = `
INSERT INTO ${table} AS kept (key, version, text, ends_at)
VALUES ($1, $3, $4, clock_timestamp() + $5::float8 * interval '1 ms')
ON CONFLICT (key) DO UPDATE SET version = excluded.version, text = excluded.text, ends_at = excluded.ends_at
WHERE kept.version = $2::bigint
RETURNING 1 AS written`
  return {
    name: 'PostgreSQL',
    async read(longest): Promise<TextReading> {
      const { rows } = await connection.query(select, [key, longest])
      const { now, version, text } = rows[0] ?? {}
      return {
        now: Number(now),
        text: typeof text === 'string' ? text : undefined,
        version: typeof version === 'string' ? version : '0',
      }
    },
    async swap({ version }, text, keptMs) {
      const values = [key, version, randomInt(1, 2 ** 48 - 1), text, keptMs]
      const { rows } = await connection.query(write, values)
      return rows.length > 0
    },
  }
}
