import { type Rows, read } from '../../client/input/reader.js'
import type { Limiter } from '../../index.js'
import { AccountBudgets } from '../budget/account-budgets.js'
import { budgetRows, type SharedBudgetOptions } from '../budget/options.js'
import { doorOf } from '../stores/door.js'
import { postgresBudgetStore } from './budget-store.js'
import { connectionRow, schemaRow } from './options.js'
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

const door = doorOf('postgresBudget', 'connection')

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
  const { connection, schema, ...parts } = read(options, rows, door)
  return new AccountBudgets({ ...parts, storeOf: (name) => postgresBudgetStore(connection, schema, name) })
}
