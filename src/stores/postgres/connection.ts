import { hasMethod } from '../../client/input/own.js'
import { is, type Rows, required } from '../../client/input/reader.js'

/** A `Pool` or a `Client` of pg, made and ended by the merchant. */
export interface PostgresConnection {
  /** Runs one statement. */
  query(
    text: string,
    values?: unknown[],
  ): Promise<{
    /** What the statement gave. */
    rows: Record<string, unknown>[]
  }>
}

/** What every store over PostgreSQL takes. */
export interface PostgresStoreOptions {
  /**
   * Your `Pool` of pg (8 or newer), or a `Client` that is connected and in no transaction. It is neither opened nor
   * closed here.
   */
  connection: PostgresConnection
  /** The schema that the tables of `schemaSql` are in. Default: as `search_path` finds them. */
  schema?: string | undefined
}

export const postgresRows = {
  connection: required(
    is<PostgresConnection>('a Pool or a Client of pg', (value) => hasMethod(value, 'query')),
  ),
  schema: is<string>(
    'the name of a schema: letters, digits and underscores, 63 at most',
    (value) => typeof value === 'string' && /^[A-Za-z_]\w{0,62}$/.test(value),
  ),
} satisfies Rows<PostgresStoreOptions>

/** A table of this package as SQL writes it; without a schema, where `search_path` finds it. */
export function tableName(table: string, schema: string | undefined): string {
  return schema === undefined ? `merchant_gateway_${table}` : `"${schema}".merchant_gateway_${table}`
}
