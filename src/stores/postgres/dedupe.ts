import type { DedupeStore } from '../../callbacks/index.js'
import { optionReader, type Shape } from '../../client/input/check.js'
import { textLike } from '../../client/input/kinds.js'
import { byDefault } from '../../client/input/zod.js'
import { ConfigurationError } from '../../index.js'
import { longestStatus, readDelivered } from '../delivered-status.js'
import { type PostgresStoreOptions, postgresShape, tableName } from './connection.js'

/** Options of {@link postgresDedupe}. */
export interface PostgresDedupeOptions extends PostgresStoreOptions {
  /** A text of yours beside `client.account`, by which merchants are told apart in any case. Default: none. */
  merchant?: string | undefined
}

const shape = {
  ...postgresShape,
  merchant: byDefault(textLike('a text of at most 200 characters', /^[^\0]{0,200}$/), ''),
} satisfies Shape<PostgresDedupeOptions>

const read = optionReader(ConfigurationError, 'postgresDedupe', shape, 'connection')

/**
 * Remembers in PostgreSQL what your functions have dealt with, for the receivers of all processes: the option `dedupe`
 * of `CallbackReceiver`. The table comes with `schemaSql`; what you delete from it is delivered again.
 *
 * @throws naming the option that is unknown, missing or wrong ({@link ConfigurationError}).
 * @example
 * const callbacks = new CallbackReceiver({ client, publicUrl, onPayin, dedupe: postgresDedupe({ connection: pool }) })
 */
export function postgresDedupe(options: PostgresDedupeOptions): DedupeStore {
  const { connection, merchant, schema: name } = read(options)
  const table = tableName('seen', name)
  const claims = tableName('ledger', name)
  // A row without `final` counts status requests of a payment that nothing was delivered of yet.
  const get = `SELECT left(status, ${longestStatus + 1}) AS status, final, request_number FROM ${table}
    WHERE merchant = $1 AND payment = $2 AND final IS NOT NULL`
  const set = `INSERT INTO ${table} (merchant, payment, status, final, request_number) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (merchant, payment) DO UPDATE
    SET status = excluded.status, final = excluded.final, request_number = excluded.request_number, seen_at = now()`
  const count = `INSERT INTO ${table} AS kept (merchant, payment, requests) VALUES ($1, $2, 1)
    ON CONFLICT (merchant, payment) DO UPDATE SET requests = kept.requests + 1
    RETURNING requests`
  const claim = `WITH claimed AS (
    INSERT INTO ${claims} AS kept (key, version, text, ends_at)
    VALUES ($1, $2, '', clock_timestamp() + $3::float8 * interval '1 ms')
    ON CONFLICT (key) DO UPDATE SET version = excluded.version, ends_at = excluded.ends_at
    WHERE kept.version = excluded.version OR kept.ends_at < clock_timestamp()
    RETURNING version)
    SELECT version FROM claimed UNION ALL SELECT version FROM ${claims} WHERE key = $1
    LIMIT 1`
  const unclaim = `DELETE FROM ${claims} WHERE key = $1 AND version = $2`
  return {
    async get(key) {
      const { rows } = await connection.query(get, [merchant, key])
      const [found] = rows
      return found && readDelivered(found.status, found.final, Number(found.request_number))
    },
    async set(key, { status, final, requestNumber }) {
      await connection.query(set, [merchant, key, status ?? null, final, requestNumber ?? null])
    },
    async count(key) {
      const { rows } = await connection.query(count, [merchant, key])
      return Number(rows[0]?.requests)
    },
    async claim(key, number, forMs) {
      const name = `claim:${merchant}:${key}`
      const { rows } = await (forMs > 0
        ? connection.query(claim, [name, number, forMs])
        : connection.query(unclaim, [name, number]))
      return Number(rows[0]?.version ?? number)
    },
  }
}
