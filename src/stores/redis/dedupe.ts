import type { DedupeStore } from '../../callbacks/index.js'
import { optionReader, type Shape } from '../../client/input/check.js'
import { wholeNumber } from '../../client/input/kinds.js'
import { byDefault } from '../../client/input/zod.js'
import { ConfigurationError } from '../../index.js'
import { longestJson, parseDelivered } from '../delivered-status.js'
import { type RedisStoreOptions, redisScript, redisShape, run, send } from './connection.js'

/** Options of {@link redisDedupe}. */
export interface RedisDedupeOptions extends RedisStoreOptions {
  /** For how long a payment is remembered after its last change, in milliseconds. Default 30 days. */
  expiresAfterMs?: number | undefined
}

const read = optionReader(
  ConfigurationError,
  'redisDedupe',
  {
    ...redisShape,
    expiresAfterMs: byDefault(wholeNumber(1, ' of milliseconds'), 30 * 86_400_000),
  } satisfies Shape<RedisDedupeOptions>,
  'connection',
)

/** An entry that is too long is not read. */
const getScript = redisScript(`
if redis.call('HSTRLEN', KEYS[1], 'seen') > ${longestJson} then return '' end
return redis.call('HGET', KEYS[1], 'seen')`)

/** Gives the number that has the claim now. */
const claimScript = redisScript(`
local held = redis.call('GETRANGE', KEYS[1], 0, 15)
if held ~= '' and held ~= ARGV[1] then return held end
if ARGV[2] == '0' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return ARGV[1]`)

/**
 * Remembers in Redis what your functions have dealt with, for the receivers of all processes: the option `dedupe` of
 * `CallbackReceiver`. What is forgotten is delivered again.
 *
 * @throws naming the option that is unknown, missing or wrong ({@link ConfigurationError}).
 * @example
 * const callbacks = new CallbackReceiver({ client, publicUrl, onPayin, dedupe: redisDedupe({ connection }) })
 */
export function redisDedupe(options: RedisDedupeOptions): DedupeStore {
  const { connection, expiresAfterMs, prefix } = read(options)
  const nameOf = (key: string) => `${prefix}:seen:${key}`
  /** Both fields end together: a number without what it counts would hide a change. */
  const touch = async (key: string, command: string, ...args: string[]) => {
    const name = nameOf(key)
    const [reply] = await Promise.all([
      send(connection, command, name, ...args),
      send(connection, 'PEXPIRE', name, String(expiresAfterMs)),
    ])
    return reply
  }
  return {
    async get(key) {
      const kept = await run(connection, getScript, nameOf(key))
      return kept === null || kept === undefined ? undefined : parseDelivered(String(kept))
    },
    async set(key, { status, final, requestNumber }) {
      await touch(key, 'HSET', 'seen', JSON.stringify({ status, final, requestNumber }))
    },
    async count(key) {
      return Number(await touch(key, 'HINCRBY', 'requests', '1'))
    },
    async claim(key, number, forMs) {
      return Number(await run(connection, claimScript, `${nameOf(key)}:claim`, `${number}`, `${forMs}`))
    },
  }
}
