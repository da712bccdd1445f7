import { optionReader, type Shape } from '../../client/input/check.js'
import { ConfigurationError, type Limiter } from '../../index.js'
import { rateLimitShape, type SharedRateLimitOptions } from '../rate-limit/options.js'
import { rateLimitPerAccount } from '../rate-limit/shared-rate-limit.js'
import type { SharedText, TextReading } from '../rate-limit/store.js'
import { type RedisConnection, type RedisStoreOptions, redisScript, redisShape, run } from './connection.js'

/** What {@link redisRateLimit} takes. */
export interface RedisRateLimitOptions extends SharedRateLimitOptions, RedisStoreOptions {}

const shape = { ...redisShape, ...rateLimitShape } satisfies Shape<RedisRateLimitOptions>

const read = optionReader(ConfigurationError, 'redisRateLimit', shape, 'connection')

/**
 * One rate limit for many processes, in Redis 5 or newer: the option `rateLimit` of every client that
 * shares it. Each merchant has its own at each gateway. A permit costs two calls of Redis.
 *
 * @throws naming the option that is unknown, missing or wrong ({@link ConfigurationError}).
 * @example
 * const rateLimit = redisRateLimit({ connection: new Redis(process.env.REDIS_URL), processes: 8 })
 * const client = GatewayClient.fromEnv({ rateLimit })
 */
export function redisRateLimit(options: RedisRateLimitOptions): Limiter {
  const { connection, prefix, ...parts } = read(options)
  return rateLimitPerAccount({
    ...parts,
    // A cluster finds the node by what is in braces.
    storeOf: (name) => redisText(connection, `${prefix}:ledger:{${name}}`),
  })
}

/**
 * Reads the beginning of a text and the clock; or sets another text, if what was read is still kept. ARGV: how much to
 * read; then the hash of what was read, the new text, and how long it stays.
 */
const script = redisScript(`
local kept = redis.pcall('GETRANGE', KEYS[1], 0, ARGV[1] - 1)
if type(kept) == 'table' then
  -- A refusal is reported; only what is of another type is written over.
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

function redisText(connection: RedisConnection, key: string): SharedText {
  return {
    name: 'Redis',
    async read(longest): Promise<TextReading> {
      const reply = await run(connection, script, key, String(longest))
      const [now, text = '', version = ''] = Array.isArray(reply) ? reply.map(String) : []
      return { now: Number(now), text: text === '' ? undefined : text, version: `${longest}:${version}` }
    },
    async swap({ version }, text, keptMs) {
      const args = [...version.split(':'), text, String(Math.max(1, Math.ceil(keptMs)))]
      return Number(await run(connection, script, key, ...args)) === 1
    },
  }
}
