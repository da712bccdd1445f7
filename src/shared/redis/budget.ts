import { type Rows, read } from '../../client/input/reader.js'
import type { Limiter } from '../../index.js'
import { AccountBudgets } from '../budget/account-budgets.js'
import { budgetRows, type SharedBudgetOptions } from '../budget/options.js'
import { doorOf } from '../stores/door.js'
import { redisBudgetStore } from './budget-store.js'
import type { RedisConnection } from './commands.js'
import { connectionRow, prefixRow } from './options.js'

/** What {@link redisBudget} takes. */
export interface RedisBudgetOptions extends SharedBudgetOptions {
  /** A client or a cluster of ioredis (5 or newer) or of redis (node-redis, 5 or newer). You connect and end it. */
  connection: RedisConnection
  /** What all keys in Redis begin with. Default `merchant-gateway`. */
  prefix?: string | undefined
}

const rows = {
  connection: connectionRow,
  prefix: prefixRow,
  ...budgetRows,
} satisfies Rows<RedisBudgetOptions>

const door = doorOf('redisBudget', 'connection')

/**
 * One budget of requests for many processes, in Redis 5 or newer: the option `rateLimit` of every client that
 * shares it. Each merchant has its own at each gateway. A permit costs two calls of Redis.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const rateLimit = redisBudget({ connection: new Redis(process.env.REDIS_URL), processes: 8 })
 * const client = GatewayClient.fromEnv({ rateLimit })
 */
export function redisBudget(options: RedisBudgetOptions): Limiter {
  const { connection, prefix, ...parts } = read(options, rows, door)
  return new AccountBudgets({
    ...parts,
    // In a cluster, the braces are what the key's place is told by: each budget has one.
    storeOf: (name) => redisBudgetStore(connection, `${prefix}:ledger:{${name}}`),
  })
}
