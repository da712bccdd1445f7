import { optionWords, type Rows, read } from '../../client/input/reader.js'
import { ConfigurationError, type TokenStore } from '../../index.js'
import {
  claimParts,
  type EntryClaim,
  encryptionRows,
  mostRead,
  sealedTokenStore,
  type TokenEncryptionOptions,
  type TokenEntries,
} from '../stores/sealed-token-store.js'
import { type PostgresConnection, type PostgresStoreOptions, postgresRows, tableName } from './connection.js'

/** Options of {@link postgresTokenStore}. */
export interface PostgresTokenStoreOptions extends PostgresStoreOptions, TokenEncryptionOptions {}

const rows = { ...postgresRows, ...encryptionRows } satisfies Rows<PostgresTokenStoreOptions>

/** The table of {@link postgresTokenStore}. A row whose text is null is there for its claim. */
export function tokenTableSql(schema: string | undefined): string {
  return `CREATE TABLE IF NOT EXISTS ${tableName('tokens', schema)} (
  key text PRIMARY KEY,
  text text,
  ends_at timestamptz NOT NULL,
  claim text,
  claimed_until timestamptz
);`
}

/**
 * Keeps the tokens of clients in PostgreSQL, encrypted, so that one token request serves all processes: the option
 * `tokenStore` of a client. Lives are counted by the clock of the server. The table comes with `schemaSql`.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const tokenStore = postgresTokenStore({ connection: pool, encryptionKeys: [process.env.TOKEN_KEY] })
 * const client = GatewayClient.fromEnv({ tokenStore })
 */
export function postgresTokenStore(options: PostgresTokenStoreOptions): TokenStore {
  const words = optionWords(ConfigurationError, 'postgresTokenStore', 'connection and encryptionKeys')
  const { connection, encryptionKeys, schema } = read(options, rows, words)
  return sealedTokenStore(postgresEntries(connection, tableName('tokens', schema)), encryptionKeys)
}

function postgresEntries(connection: PostgresConnection, table: string): TokenEntries {
  /** In one statement, so that of all who ask at once one gets the claim. What others see is of before it. */
  const claim = `WITH claimed AS (
    INSERT INTO ${table} AS kept (key, claim, claimed_until, ends_at)
    VALUES ($1, $2, clock_timestamp() + $3 * interval '1 ms', clock_timestamp() + $3 * interval '1 ms')
    ON CONFLICT (key) DO UPDATE SET claim = excluded.claim, claimed_until = excluded.claimed_until
    WHERE (kept.text IS NULL OR left(kept.text, ${mostRead}) = $4 OR kept.ends_at <= clock_timestamp())
      AND (kept.claimed_until IS NULL OR kept.claimed_until <= clock_timestamp())
    RETURNING key
  )
  SELECT EXISTS (SELECT FROM claimed) AS claimed, ${ms('clock_timestamp()')} AS now_ms, left(kept.text, ${mostRead}) AS text,
    ${ms('kept.ends_at - clock_timestamp()')} AS remaining_ms
  FROM (VALUES ($1)) AS asked (key) LEFT JOIN ${table} AS kept USING (key)`
  const put = `INSERT INTO ${table} AS kept (key, text, ends_at)
    VALUES ($1, $3, to_timestamp($4::float8 / 1000))
    ON CONFLICT (key) DO UPDATE SET text = excluded.text, ends_at = excluded.ends_at,
      claim = nullif(kept.claim, $2), claimed_until = CASE kept.claim WHEN $2 THEN NULL ELSE kept.claimed_until END`
  /** A few of the rows that nobody has needed for an hour, and none that somebody else is at. */
  const sweep = `DELETE FROM ${table} WHERE key IN (
    SELECT key FROM ${table} WHERE ends_at < clock_timestamp() - interval '1 hour' LIMIT 100 FOR UPDATE SKIP LOCKED)`
  const release = `UPDATE ${table} SET claim = NULL, claimed_until = NULL WHERE key = $1 AND claim = $2`
  const remove = `UPDATE ${table} SET text = NULL, ends_at = clock_timestamp() WHERE key = $1 AND text = $2`
  return {
    async claim(key, unless, name, forMs) {
      const { rows } = await connection.query(claim, [key, name, Math.ceil(forMs), unless ?? null])
      return readRow(rows[0] ?? {}, name, unless)
    },
    async put(key, claimed, text, lifetimeMs) {
      const { name, at } = claimParts(claimed)
      await connection.query(put, [key, name, text, at + lifetimeMs])
      await connection.query(sweep)
    },
    async release(key, claimed) {
      await connection.query(release, [key, claimParts(claimed).name])
    },
    async remove(key, text) {
      await connection.query(remove, [key, text])
    },
  }
}

/** A moment or an interval in whole milliseconds. */
function ms(sql: string): string {
  return `floor(extract(epoch FROM ${sql}) * 1000)::float8`
}

function readRow(row: Record<string, unknown>, name: string, unless: string | undefined): EntryClaim {
  const { claimed, now_ms, text, remaining_ms } = row
  if (claimed === true) return { state: 'claimed', claim: `${name}.${Number(now_ms)}` }
  const remainingMs = Number(remaining_ms)
  // Null where the row is younger than the statement: then somebody else has just claimed it.
  return typeof text === 'string' && text !== unless && remainingMs > 0
    ? { state: 'stored', text, remainingMs }
    : { state: 'busy' }
}
