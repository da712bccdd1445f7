import type { SharedText, TextReading } from '../rate-limit/store.js'
import { type RedisConnection, redisScript, run } from './connection.js'

/**
 * Reads the beginning of a text with the clock of Redis; or sets another text, if that is still what is kept.
 *
 * ARGV: how much to read, and to set: what the text that was read hashes to, the new one, and how long it stays.
 */
const script = redisScript(`
local kept = redis.pcall('GETRANGE', KEYS[1], 0, ARGV[1] - 1)
if type(kept) == 'table' then
  -- A refusal is reported, or every process would begin with a text of its own; only what is of another type is written over.
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
export function redisText(connection: RedisConnection, key: string): SharedText {
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
