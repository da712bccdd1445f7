import { optionWords, read } from '../../client/input/reader.js'
import { ConfigurationError } from '../../index.js'
import { postgresRows } from './connection.js'
import { seenTableSql } from './dedupe.js'
import { textTableSql } from './shared-text.js'

/** Options of {@link schemaSql}. */
export interface SchemaSqlOptions {
  /** The schema to make the tables in. Default: the first of `search_path`. */
  schema?: string | undefined
}

const words = optionWords(ConfigurationError, 'schemaSql', '')

/** Any number, the same for all who make these tables: those who come at once make them one after another. */
const lock = "SELECT pg_advisory_xact_lock(hashtext('merchant_gateway schema'));"

/**
 * The tables of this entry, as SQL for your migrations. Running it again changes nothing, also by many processes at once.
 *
 * @throws {ConfigurationError} for a name that is more than letters, digits and underscores: it becomes part of the SQL.
 * @example
 * await pool.query(schemaSql())
 */
export function schemaSql(options: SchemaSqlOptions = {}): string {
  const { schema } = read(options, { schema: postgresRows.schema }, words)
  return [lock, textTableSql('ledger', schema), seenTableSql(schema)].join('\n')
}
