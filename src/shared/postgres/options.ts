import { hasMethod } from '../../client/input/own.js'
import type { Row } from '../../client/input/reader.js'
import { is, required } from '../../client/input/rows.js'
import type { PostgresConnection } from './query.js'

/** The option `connection`. */
export const connectionRow: Row<PostgresConnection> = required(
  is<PostgresConnection>('a Pool or a Client of pg', (value) => hasMethod(value, 'query')),
)

/** The option `schema`. */
export const schemaRow: Row<string | undefined> = is(
  'the name of a schema: letters, digits and underscores, 63 at most',
  (value) => typeof value === 'string' && /^[A-Za-z_]\w{0,62}$/.test(value),
)

/** A table of this package as SQL writes it; without a schema, where `search_path` finds it. */
export function tableName(table: string, schema: string | undefined): string {
  return schema === undefined ? `merchant_gateway_${table}` : `"${schema}".merchant_gateway_${table}`
}
