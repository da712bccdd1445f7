import { randomInt } from 'node:crypto'
import { optionWords, type Rows, read } from '../../client/input/reader.js'
import { ConfigurationError, type Limiter } from '../../index.js'
import { AccountBudgets } from '../budget/account-budgets.js'
import { budgetRows, type SharedBudgetOptions } from '../budget/options.js'
import type { BudgetStore, StoreReading } from '../budget/store.js'
import { type PostgresConnection, type PostgresStoreOptions, postgresRows, tableName } from './connection.js'

/** What {@link postgresBudget} takes. */
export interface PostgresBudgetOptions extends SharedBudgetOptions, PostgresStoreOptions {}

const rows = { ...postgresRows, ...budgetRows } satisfies Rows<PostgresBudgetOptions>

const words = optionWords(ConfigurationError, 'postgresBudget', 'connection')

/**
 * One budget of requests for many processes, in PostgreSQL 12 or newer: the option `rateLimit` of every client that
 * shares it. Each merchant has its own at each gateway. A permit costs two statements. Run `schemaSql()` before.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL })
 * await pool.query(schemaSql())
 * const client = GatewayClient.fromEnv({ rateLimit: postgresBudget({ connection: pool, processes: 8 }) })
 */
export function postgresBudget(options: PostgresBudgetOptions): Limiter {
  const { connection, schema, ...parts } = read(options, rows, words)
  return new AccountBudgets({ ...parts, storeOf: (name) => postgresBudgetStore(connection, schema, name) })
}

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
