import { optionWords, type Rows, read } from '../../client/input/reader.js'
import { ConfigurationError, type Limiter } from '../../index.js'
import { AccountBudgets } from '../budget/account-budgets.js'
import { budgetRows, type SharedBudgetOptions } from '../budget/options.js'
import type { BudgetStore, StoreReading } from '../budget/store.js'
import { type RedisConnection, type RedisStoreOptions, redisRows, redisScript, run } from './connection.js'

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
    storeOf: (name) => redisBudgetStore(connection, `${prefix}:ledger:{${name}}`),
  })
}

/** How long the ledger stays after it was last written: one that begins anew keeps everybody waiting for a second. */
const keptMs = 30 * 86_400_000

/**
 * Reads the beginning of a text with the clock of Redis; or sets another text, if that is still what is kept.
 *
 * ARGV: how much to read, and to set: what the text that was read hashes to, the new one, and how long it stays.
 */
const script = redisScript(`
local kept = redis.pcall('GETRANGE', KEYS[1], 0, ARGV[1] - 1)
if type(kept) == 'table' then
  -- A refusal is told, or every process would begin a ledger of its own; only what is of another type is written over.
  if not string.find(kept.err, 'WRONGTYPE', 1, true) then return kept end
  kept = 'WRONGTYPE'
end
local version = redis.sha1hex(kept)
if ARGV[2] == nil then
  local time = redis.call('TIME')
  return { time[1] * 1000 + math.floor(time[2] / 1000), kept, version }
end
if version ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
return 1
`)

/** One key of Redis, that changes only where it is still what was read. */
export function redisBudgetStore(connection: RedisConnection, key: string): BudgetStore {
  return {
    name: 'Redis',
    async read(longest): Promise<StoreReading> {
      const reply = await run(connection, script, [key], [String(longest)])
      const [now, text = '', version = ''] = Array.isArray(reply) ? reply.map(String) : []
      return { now: Number(now), text: text === '' ? undefined : text, version: `${longest}:${version}` }
    },
    async swap({ version }, text) {
      const args = [...version.split(':'), text, String(keptMs)]
      return Number(await run(connection, script, [key], args)) === 1
    },
  }
}
