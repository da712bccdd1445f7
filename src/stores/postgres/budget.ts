import { optionWords, type Rows, read } from '../../client/input/reader.js'
import { ConfigurationError, type Limiter } from '../../index.js'
import { AccountBudgets } from '../budget/account-budgets.js'
import { budgetRows, type SharedBudgetOptions } from '../budget/options.js'
import { type PostgresStoreOptions, postgresRows, tableName } from './connection.js'
import { postgresText } from './shared-text.js'

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
  const table = tableName('ledger', schema)
  return new AccountBudgets({ ...parts, storeOf: (name) => postgresText(connection, table, name) })
}
