import { budgetRows, type SharedBudgetOptions } from '../budget/options.js'
import { SharedBudget } from '../budget/shared-budget.js'
import type { Limiter } from '../index.js'
import { type Rows, read } from '../input/reader.js'
import { doorOf } from '../stores/door.js'
import { budgetScript } from './budget-script.js'
import { type RedisConnection, redisScript, run } from './commands.js'
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

const door = doorOf('redisBudget', 'connection and name')
const script = redisScript(budgetScript())

/**
 * One budget of requests for many processes, in Redis 5 or newer: the option `rateLimit` of every client that
 * shares it. A permit costs one call of Redis.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const rateLimit = redisBudget({ connection: new Redis(process.env.REDIS_URL), name: 'M-0001', processes: 8 })
 * const client = GatewayClient.fromEnv({ rateLimit })
 */
export function redisBudget(options: RedisBudgetOptions): Limiter {
  const { connection, prefix, name, requestsPerSecond, processes, storeTimeoutMs, onStoreAway } = read(
    options,
    rows,
    door,
  )
  // In a cluster, the braces are what the key's place is told by: each merchant has one.
  const keys = [`${prefix}:budget:{${name}}`]
  const store = {
    name: 'Redis',
    ask: async (ask: object): Promise<unknown> =>
      JSON.parse(String(await run(connection, script, keys, [JSON.stringify(ask)]))),
  }
  return new SharedBudget({ store, requestsPerSecond, processes, storeTimeoutMs, onStoreAway })
}
