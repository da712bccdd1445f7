// @ts-check
// Orders in SQLite, which Node has from 22.5 on (before 22.13 behind --experimental-sqlite).
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isOpen } from '../order.mjs'
import { noSuchOrder } from './storage.mjs'

/**
 * @typedef {import('../order.mjs').Order} Order
 * @typedef {{ body?: unknown }} Row
 * @typedef {{ get: (...values: unknown[]) => Row | undefined, all: () => Row[], run: (...values: unknown[]) => unknown }} Statement
 * @typedef {{ exec: (sql: string) => void, prepare: (sql: string) => Statement, close: () => void }} Database
 * @typedef {{ DatabaseSync: new (path: string) => Database }} Sqlite What is used of node:sqlite.
 */

/** Undefined in a Node that hasn't it. */
export const sqlite = /** @type {Sqlite | undefined} */ (process.getBuiltinModule('node:sqlite'))

/** @param {Sqlite} sqlite @param {string} folder @returns {import('./storage.mjs').Storage} */
export function sqliteStorage({ DatabaseSync }, folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(folder, 'orders.sqlite'))
  database.exec(`
    PRAGMA busy_timeout = 5000;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS orders (
      key TEXT PRIMARY KEY,
      id_payin TEXT NOT NULL UNIQUE,
      id_payout TEXT UNIQUE,
      is_open INTEGER NOT NULL,
      body TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS open_orders ON orders (key) WHERE is_open = 1`)
  const insert = database.prepare('INSERT INTO orders VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING')
  const update = database.prepare('UPDATE orders SET id_payout = ?, is_open = ?, body = ? WHERE key = ?')
  const selectOpen = database.prepare('SELECT body FROM orders WHERE is_open = 1')
  const select = {
    key: database.prepare('SELECT body FROM orders WHERE key = ?'),
    idPayin: database.prepare('SELECT body FROM orders WHERE id_payin = ?'),
    idPayout: database.prepare('SELECT body FROM orders WHERE id_payout = ?'),
  }
  /** @param {string} key */
  const byKey = (key) => orderIn(select.key.get(key))
  return {
    async add(order) {
      const { key, payin, refund } = order
      insert.run(key, payin.id, refund?.id ?? null, isOpen(order) ? 1 : 0, JSON.stringify(order))
      return byKey(key) ?? order
    },
    async find(ref) {
      if ('idPayin' in ref) return orderIn(select.idPayin.get(ref.idPayin))
      return 'idPayout' in ref ? orderIn(select.idPayout.get(ref.idPayout)) : byKey(ref.key)
    },
    async change(key, change) {
      database.exec('BEGIN IMMEDIATE')
      try {
        const order = byKey(key)
        if (order === undefined) throw noSuchOrder(key)
        const changed = change(order)
        const { refund } = changed
        if (changed !== order) {
          update.run(refund?.id ?? null, isOpen(changed) ? 1 : 0, JSON.stringify(changed), key)
        }
        database.exec('COMMIT')
        return changed
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    open: async () => selectOpen.all().flatMap((row) => orderIn(row) ?? []),
    close: async () => database.close(),
  }
}

/** @param {Row | undefined} row @returns {Order | undefined} */
function orderIn(row) {
  return row === undefined ? undefined : JSON.parse(String(row.body))
}
