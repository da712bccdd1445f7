import type { Shape } from '../../client/input/check.js'
import { textLike, withMethods } from '../../client/input/kinds.js'
import { optional } from '../../client/input/zod.js'

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
  /** Your `Pool` of pg (8 or newer), or a `Client` that is connected and in no transaction. It is not closed here. */
  connection: PostgresConnection
  /** The schema that the tables of `schemaSql` are in. Default: as `search_path` finds them. */
  schema?: string | undefined
}

export const postgresShape = {
  connection: withMethods<PostgresConnection>('a Pool or a Client of pg', 'query'),
  schema: optional(
    textLike('the name of a schema: letters, digits and underscores, 63 at most', /^[A-Za-z_]\w{0,62}$/),
  ),
} satisfies Shape<PostgresStoreOptions>

/** A table of this package as SQL writes it; without a schema, where `search_path` finds it. */
export function tableName(table: string, schema: string | undefined): string {
  return schema === undefined ? `merchant_gateway_${table}` : `"${schema}".merchant_gateway_${table}`
}
