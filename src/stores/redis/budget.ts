import { optionWords, type Rows, read } from '../../client/input/reader.js'
import { ConfigurationError, type Limiter } from '../../index.js'
import { AccountBudgets } from '../budget/account-budgets.js'
import { budgetRows, type SharedBudgetOptions } from '../budget/options.js'
import { type RedisStoreOptions, redisRows } from './connection.js'
import { redisText } from './shared-text.js'

/** What {@link redisBudget} takes. */
export interface RedisBudgetOptions extends SharedBudgetOptions, RedisStoreOptions {}

const rows = { ...redisRows, ...budgetRows } satisfies Rows<RedisBudgetOptions>

const words = optionWords(ConfigurationError, 'redisBudget', 'connection')

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
  const { connection, prefix, ...parts } = read(options, rows, words)
  return new AccountBudgets({
    ...parts,
    // In a cluster, the braces are what the key's place is told by: each budget has one.
    storeOf: (name) => redisText(connection, `${prefix}:ledger:{${name}}`),
  })
}
