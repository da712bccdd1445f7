import type { Limiter } from '../../index.js'
import { CommandFailed } from '../exit-codes.js'
import type { Environment } from '../io.js'
import { loadIoredis, loadPg } from './drivers.js'
import { type Store, withStore } from './store.js'

/** The requests a second that this process shares with all others of the merchant. */
export interface Budget {
  readonly rateLimit: Limiter
  close(): Promise<void>
}

/**
 * The budget that web servers and workers of the merchant have in the same store, by the merchant code unless
 * another name is given: `redisBudget` and `postgresBudget` with the same name share it.
 *
 * @throws {CommandFailed} when the store lacks what the budget is kept in.
 */
export function openBudget(store: Store, env: Environment): Promise<Budget | undefined> {
  const name = (store.budget ?? env.GATEWAY_MERCHANT_CODE ?? '').trim()
  // The client says that its merchant code is missing.
  if (name === '') return Promise.resolve(undefined)
  return withStore(() => (store.engine === 'redis' ? inRedis(store, name) : inPostgres(store, name)))
}

async function inRedis({ connection }: Store, name: string): Promise<Budget> {
  const { Redis } = await loadIoredis()
  const { redisBudget } = await import('../../redis/index.js')
  const redis = new Redis(connection, { maxRetriesPerRequest: 1, lazyConnect: true })
  // Calls fail with it, and say so.
  redis.on('error', () => {})
  return {
    rateLimit: redisBudget({ connection: redis, name }),
    close: async () => redis.disconnect(),
  }
}

async function inPostgres({ connection, migrate }: Store, name: string): Promise<Budget> {
  const { default: pg } = await loadPg()
  const { postgresBudget, schemaSql } = await import('../../postgres/index.js')
  const pool = new pg.Pool({ connectionString: connection, max: 2 })
  pool.on('error', () => {})
  try {
    if (migrate) await pool.query(schemaSql())
    const asked = await pool.query("SELECT to_regproc('merchant_gateway_budget_ask') IS NULL AS missing")
    if (asked.rows[0]?.missing === true) {
      throw new CommandFailed(
        'the table of the shared budget is not in this PostgreSQL, so nothing was sent: run "payouts send" once with --migrate, or schemaSql() of merchant-gateway/postgres in your migrations.',
      )
    }
    return { rateLimit: postgresBudget({ connection: pool, name }), close: () => pool.end() }
  } catch (error) {
    await pool.end()
    throw error
  }
}
