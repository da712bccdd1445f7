import { budgetSql } from './budget-sql.js'
import { seenTableSql } from './seen.js'
import { tokenTableSql } from './token-store.js'

/** Options of {@link schemaSql}. */
export interface SchemaSqlOptions {
  /** The schema to make the tables in. Default: the first of `search_path`. */
  schema?: string | undefined
}

/**
 * The tables and functions of this entry, as SQL for your migrations. Running it again changes nothing.
 *
 * @example
 * await pool.query(schemaSql())
 */
export function schemaSql({ schema }: SchemaSqlOptions = {}): string {
  return [budgetSql(schema), tokenTableSql(schema), seenTableSql(schema)].join('\n')
}
