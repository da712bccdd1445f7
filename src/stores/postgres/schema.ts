import { optionReader, type Shape } from '../../client/input/check.js'
import { ConfigurationError } from '../../index.js'
import { postgresShape, tableName } from './connection.js'

/** Options of {@link schemaSql}. */
export interface SchemaSqlOptions {
  /** The schema to make the tables in. Default: the first of `search_path`. */
  schema?: string | undefined
}

const shape = { schema: postgresShape.schema } satisfies Shape<SchemaSqlOptions>

const read = optionReader(ConfigurationError, 'schemaSql', shape, 'schema')

/**
 * The tables of this entry, as SQL for your migrations. Running it again changes nothing, also by many processes at once.
 *
 * @throws for a name that is more than letters, digits and underscores: it becomes part of the SQL ({@link ConfigurationError}).
 * @example
 * await pool.query(schemaSql())
 */
export function schemaSql(options: SchemaSqlOptions = {}): string {
  const { schema } = read(options)
  const seen = tableName('seen', schema)
  // Processes that come at once wait for the lock. What the ledger holds is worth nothing after a crash, so it isn't logged.
  return `SELECT pg_advisory_xact_lock(hashtext('merchant_gateway schema'));

CREATE UNLOGGED TABLE IF NOT EXISTS ${tableName('ledger', schema)} (
  key text PRIMARY KEY,
  version bigint NOT NULL DEFAULT 0,
  text text NOT NULL,
  ends_at timestamptz NOT NULL
) WITH (fillfactor = 10);

CREATE TABLE IF NOT EXISTS ${seen} (
  merchant text NOT NULL,
  payment text NOT NULL,
  status text,
  final boolean,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (merchant, payment)
);
ALTER TABLE ${seen}
  ALTER COLUMN final DROP NOT NULL,
  ADD COLUMN IF NOT EXISTS requests bigint NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS request_number bigint;`
}
