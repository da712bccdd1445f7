import type { SeenStore } from '../callbacks/index.js'
import { type Rows, read } from '../input/reader.js'
import { byDefault, is } from '../input/rows.js'
import { doorOf } from '../stores/door.js'
import { readSeen } from '../stores/seen-status.js'
import { connectionRow, schemaRow, tableName } from './options.js'
import type { PostgresConnection } from './query.js'

/** Options of {@link postgresSeen}. */
export interface PostgresSeenOptions {
  /** Your `Pool` of pg, or a `Client`, connected. It is neither opened nor closed here. */
  connection: PostgresConnection
  /** Whose payments these are: another text for each merchant that shares the table. Default: none. */
  merchant?: string | undefined
  /** The schema that the tables of `schemaSql` are in. Default: as `search_path` finds them. */
  schema?: string | undefined
}

const rows = {
  connection: connectionRow,
  merchant: byDefault(
    is<string>(
      'a text of at most 200 characters',
      (value) => typeof value === 'string' && value.length <= 200 && !value.includes('\0'),
    ),
    '',
  ),
  schema: schemaRow,
} satisfies Rows<PostgresSeenOptions>

/** The table of {@link postgresSeen}. What was seen long ago may be deleted at any time, by `seen_at`. */
export function seenTableSql(schema: string | undefined): string {
  return `CREATE TABLE IF NOT EXISTS ${tableName('seen', schema)} (
  merchant text NOT NULL,
  payment text NOT NULL,
  status text,
  final boolean NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (merchant, payment)
);`
}

/**
 * Remembers in PostgreSQL what your functions have dealt with, for the receivers of all processes: the option `seen`
 * of `CallbackReceiver`. The table comes with `schemaSql`; what you delete from it is delivered again.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const callbacks = new CallbackReceiver({ client, publicUrl, onPayin, seen: postgresSeen({ connection: pool }) })
 */
export function postgresSeen(options: PostgresSeenOptions): SeenStore {
  const { connection, merchant, schema } = read(options, rows, doorOf('postgresSeen', 'connection'))
  const table = tableName('seen', schema)
  const get = `SELECT status, final FROM ${table} WHERE merchant = $1 AND payment = $2`
  const set = `INSERT INTO ${table} (merchant, payment, status, final) VALUES ($1, $2, $3, $4)
    ON CONFLICT (merchant, payment) DO UPDATE
    SET status = excluded.status, final = excluded.final, seen_at = now()`
  return {
    async get(key) {
      const { rows } = await connection.query(get, [merchant, key])
      const [found] = rows
      return found && readSeen(found.status, found.final)
    },
    async set(key, { status, final }) {
      await connection.query(set, [merchant, key, status ?? null, final])
    },
  }
}
