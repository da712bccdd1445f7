// @ts-check
// Orders in PostgreSQL: several processes of the shop can share them.
import pg from 'pg'
import { isOpen } from '../order.mjs'
import { noSuchOrder } from './storage.mjs'

/** @typedef {import('../order.mjs').Order} Order */

/** @param {Order} order */
const idsOf = ({ refunds }) => refunds.map(({ id }) => id)

/**
 * @param {string} connectionString @param {string} table
 * @returns {Promise<import('./storage.mjs').Storage>}
 */
export async function postgresStorage(connectionString, table) {
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 10_000 })
  // Without a listener, a connection that breaks while nobody uses it would end the process.
  pool.on('error', (error) => console.error(`PostgreSQL: ${error.message}`))
  const name = pg.escapeIdentifier(table)

  /** @template T @param {(connection: import('pg').PoolClient) => Promise<T>} work */
  async function transaction(work) {
    const connection = await pool.connect()
    try {
      await connection.query('BEGIN')
      const result = await work(connection)
      await connection.query('COMMIT')
      connection.release()
      return result
    } catch (error) {
      // Ended, and with it the transaction: after an error nobody knows what the connection is good for.
      connection.release(true)
      throw error
    }
  }

  await transaction(async (connection) => {
    // Two processes that start at once would both create it.
    await connection.query('SELECT pg_advisory_xact_lock(hashtext($1))', [table])
    await connection.query(`
      CREATE TABLE IF NOT EXISTS ${name} (
        key text PRIMARY KEY,
        id_payin text NOT NULL UNIQUE,
        ids_payout text[] NOT NULL,
        is_open boolean NOT NULL,
        body jsonb NOT NULL
      )`)
    const index = pg.escapeIdentifier(`${table}_payouts`)
    await connection.query(`CREATE INDEX IF NOT EXISTS ${index} ON ${name} USING gin (ids_payout)`)
  })

  const columns = { key: 'key = $1', idPayin: 'id_payin = $1', idPayout: 'ids_payout @> ARRAY[$1]' }
  /** @param {keyof typeof columns} column @param {string} value @returns {Promise<Order | undefined>} */
  async function findBy(column, value) {
    const { rows } = await pool.query(`SELECT body FROM ${name} WHERE ${columns[column]}`, [value])
    return rows[0]?.body
  }

  return {
    async add(order) {
      const { key, payin } = order
      await pool.query(`INSERT INTO ${name} VALUES ($1, $2, $3, $4, $5) ON CONFLICT (key) DO NOTHING`, [
        key,
        payin.id,
        idsOf(order),
        isOpen(order),
        order,
      ])
      return (await findBy('key', key)) ?? order
    },
    find(ref) {
      if ('idPayin' in ref) return findBy('idPayin', ref.idPayin)
      return 'idPayout' in ref ? findBy('idPayout', ref.idPayout) : findBy('key', ref.key)
    },
    change: (key, change) =>
      transaction(async (connection) => {
        const { rows } = await connection.query(`SELECT body FROM ${name} WHERE key = $1 FOR UPDATE`, [key])
        /** @type {Order | undefined} */
        const order = rows[0]?.body
        if (order === undefined) throw noSuchOrder(key)
        const changed = change(order)
        if (changed === order) return order
        const values = [key, idsOf(changed), isOpen(changed), changed]
        const sql = `UPDATE ${name} SET ids_payout = $2, is_open = $3, body = $4 WHERE key = $1`
        await connection.query(sql, values)
        return changed
      }),
    async open() {
      const { rows } = await pool.query(`SELECT body FROM ${name} WHERE is_open`)
      return rows.map(({ body }) => body)
    },
    close: () => pool.end(),
  }
}
