import { randomInt } from 'node:crypto'
import type { SharedText, TextReading } from '../rate-limit/store.js'
import type { PostgresConnection } from './connection.js'

/** One row of PostgreSQL, that changes only where its version is still what was read. */
export function postgresText(connection: PostgresConnection, table: string, key: string): SharedText {
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
