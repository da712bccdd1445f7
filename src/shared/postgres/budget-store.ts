import { randomInt } from 'node:crypto'
import type { BudgetStore, StoreReading } from '../budget/store.js'
import { tableName } from './options.js'
import type { PostgresConnection } from './query.js'

/**
 * The table of the budget. It isn't logged: what it holds is worth nothing after a second or two, and a permit need
 * not wait for the disk. After a crash it is empty, and the processes say so.
 */
export function budgetTableSql(schema: string | undefined): string {
  return `
CREATE UNLOGGED TABLE IF NOT EXISTS ${tableName('ledger', schema)} (
  name text PRIMARY KEY,
  version bigint NOT NULL,
  ledger text NOT NULL
) WITH (fillfactor = 10);
`
}

/** One row of PostgreSQL, that changes only where its version is still what was read. */
export function postgresBudgetStore(
  connection: PostgresConnection,
  schema: string | undefined,
  name: string,
): BudgetStore {
  const table = tableName('ledger', schema)
  const look = `
SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now, version::text AS version,
  left(ledger, $2::int) AS ledger
FROM (VALUES (1)) AS always LEFT JOIN ${table} ON name = $1`
  const write = `
INSERT INTO ${table} AS kept (name, version, ledger) VALUES ($1, $3, $4)
ON CONFLICT (name) DO UPDATE SET version = excluded.version, ledger = excluded.ledger WHERE kept.version = $2::bigint
RETURNING 1 AS written`
  return {
    name: 'PostgreSQL',
    async read(longest): Promise<StoreReading> {
      const { rows } = await connection.query(look, [name, longest])
      const { now, version, ledger } = rows[0] ?? {}
      return {
        now: Number(now),
        text: typeof ledger === 'string' ? ledger : undefined,
        version: typeof version === 'string' ? version : '0',
      }
    },
    async swap({ version }, text) {
      const { rows } = await connection.query(write, [name, version, randomInt(1, 2 ** 48 - 1), text])
      return rows.length > 0
    },
  }
}
