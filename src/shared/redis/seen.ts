import type { SeenStore } from '../../callbacks/index.js'
import { type Rows, read } from '../../client/input/reader.js'
import { byDefault, wholeNumber } from '../../client/input/rows.js'
import { doorOf } from '../stores/door.js'
import { parseSeen } from '../stores/seen-status.js'
import { type RedisConnection, send } from './commands.js'
import { connectionRow, prefixRow } from './options.js'

/** Options of {@link redisSeen}. */
export interface RedisSeenOptions {
  /** Your client of ioredis or of node-redis, connected. It is neither opened nor closed here. */
  connection: RedisConnection
  /** For how long a payment is remembered after its last change, in milliseconds. Default 30 days. */
  expiresAfterMs?: number | undefined
  /** What all keys in Redis begin with. Default `merchant-gateway`. */
  prefix?: string | undefined
}

const rows = {
  connection: connectionRow,
  expiresAfterMs: byDefault(wholeNumber(1, ' of milliseconds'), 30 * 86_400_000),
  prefix: prefixRow,
} satisfies Rows<RedisSeenOptions>

/**
 * Remembers in Redis what your functions have dealt with, for the receivers of all processes: the option `seen` of
 * `CallbackReceiver`. What is forgotten is delivered again.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const callbacks = new CallbackReceiver({ client, publicUrl, onPayin, seen: redisSeen({ connection }) })
 */
export function redisSeen(options: RedisSeenOptions): SeenStore {
  const { connection, expiresAfterMs, prefix } = read(options, rows, doorOf('redisSeen', 'connection'))
  const nameOf = (key: string) => `${prefix}:seen:${key}`
  /** Both fields of a payment live and end together: a number without what it counts would hide a change. */
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
      const kept = await send(connection, 'HGET', nameOf(key), 'seen')
      return kept === null || kept === undefined ? undefined : parseSeen(String(kept))
    },
    async set(key, { status, final, look }) {
      await touch(key, 'HSET', 'seen', JSON.stringify({ status, final, look }))
    },
    async count(key) {
      return Number(await touch(key, 'HINCRBY', 'looks', '1'))
    },
  }
}
