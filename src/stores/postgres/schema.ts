import { seenTableSql } from './dedupe.js'
import { textTableSql } from './shared-text.js'

/** Options of {@link schemaSql}. */
export interface SchemaSqlOptions {
  /** The schema to make the tables in. Default: the first of `search_path`. */
  schema?: string | undefined
}

/** Any number, the same for all who make these tables: those who come at once make them one after another. */
const lock = "SELECT pg_advisory_xact_lock(hashtext('merchant_gateway schema'));"

/**
 * The tables of this entry, as SQL for your migrations. Running it again changes nothing, also by many processes at once.
 *
 * @example
 * await pool.query(schemaSql())
 */
export function schemaSql({ schema }: SchemaSqlOptions = {}): string {
  return [lock, textTableSql('ledger', schema), seenTableSql(schema)].join('\n')
}
