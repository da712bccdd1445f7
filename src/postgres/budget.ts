import { budgetRows, type SharedBudgetOptions } from '../budget/options.js'
import { SharedBudget } from '../budget/shared-budget.js'
import type { Limiter } from '../index.js'
import { type Rows, read } from '../input/reader.js'
import { doorOf } from '../stores/door.js'
import { connectionRow, schemaRow, tableName } from './options.js'
import type { PostgresConnection } from './query.js'

/** What {@link postgresBudget} takes. */
export interface PostgresBudgetOptions extends SharedBudgetOptions {
  /**
   * A `Pool` of pg (8 or newer), or a `Client` that is in no transaction: a slot counts once it is committed. You
   * connect and end it.
   */
  connection: PostgresConnection
  /** Where the tables of `schemaSql` are. Default: as `search_path` finds them. */
  schema?: string | undefined
}

const rows = {
  connection: connectionRow,
  schema: schemaRow,
  ...budgetRows,
} satisfies Rows<PostgresBudgetOptions>

const door = doorOf('postgresBudget', 'connection and name')

/**
 * One budget of requests for many processes, in PostgreSQL 12 or newer: the option `rateLimit` of every client that
 * shares it. A permit costs one statement. Run `schemaSql()` before.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const pool = new Pool({ connectionString: process.env.DATABASE_URL })
 * await pool.query(schemaSql())
 * const client = GatewayClient.fromEnv({
 *   rateLimit: postgresBudget({ connection: pool, name: 'M-0001', processes: 8 }),
 * })
 */
export function postgresBudget(options: PostgresBudgetOptions): Limiter {
  const { connection, schema, name, requestsPerSecond, processes, storeTimeoutMs, onStoreAway } = read(
    options,
    rows,
    door,
  )
  const statement = `SELECT ${tableName('budget_ask', schema)}($1, $2::jsonb) AS answer`
  const store = {
    name: 'PostgreSQL',
    ask: async (ask: object): Promise<unknown> => {
      const { rows } = await connection.query(statement, [name, JSON.stringify(ask)])
      return rows[0]?.answer
    },
  }
  return new SharedBudget({ store, requestsPerSecond, processes, storeTimeoutMs, onStoreAway })
}
