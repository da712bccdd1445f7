import { createHash } from 'node:crypto'
import type { Shape } from '../../client/input/check.js'
import { fitting, textLike } from '../../client/input/kinds.js'
import { hasMethod } from '../../client/input/values.js'
import { byDefault } from '../../client/input/zod.js'

/** A client of ioredis, or one of its clusters. */
export interface IoRedisConnection {
  /** Sends one command. */
  call(command: string, ...args: (string | Buffer)[]): Promise<unknown>
}

/** A client or a pool of node-redis, connected by whoever made it. */
export interface NodeRedisConnection {
  /** Sends one command. */
  sendCommand(args: (string | Buffer)[]): Promise<unknown>
}

/** A cluster of node-redis, connected by whoever made it. */
export interface NodeRedisClusterConnection {
  /** The nodes that take writes: only a cluster has them. */
  readonly masters: readonly unknown[]
  /** Sends one command to the node that has the key. */
  sendCommand(
    firstKey: string | Buffer | undefined,
    isReadonly: boolean | undefined,
    args: (string | Buffer)[],
  ): Promise<unknown>
}

/** The merchant's own connection to Redis: nothing here opens one, or closes it. */
export type RedisConnection = IoRedisConnection | NodeRedisConnection | NodeRedisClusterConnection

/** What every store over Redis takes. */
export interface RedisStoreOptions {
  /** Your client or cluster of ioredis or of redis (node-redis), 5 or newer, connected. It is not closed here. */
  connection: RedisConnection
  /** What all keys in Redis begin with. Default `merchant-gateway`. */
  prefix?: string | undefined
}

export const redisShape = {
  connection: fitting<RedisConnection>(
    'a client of ioredis or of node-redis',
    (value) => hasMethod(value, 'call') || hasMethod(value, 'sendCommand'),
  ),
  prefix: byDefault(
    textLike('a text of letters, digits, dots, dashes, colons and underscores', /^[\w.:-]{1,100}$/),
    'merchant-gateway',
  ),
} satisfies Shape<RedisStoreOptions>

export interface RedisScript {
  readonly source: string
  readonly sha: string
}

export function redisScript(source: string): RedisScript {
  return { source, sha: createHash('sha1').update(source).digest('hex') }
}

/** Sends one command whose first argument is its key. */
export function send(connection: RedisConnection, command: string, key: string, ...args: string[]) {
  return sendTo(connection, key, command, [key, ...args])
}

/** Runs a script of one key by its hash, and sends it whole where Redis has forgotten it. */
export async function run(connection: RedisConnection, script: RedisScript, key: string, ...args: string[]) {
  const rest = ['1', key, ...args]
  try {
    return await sendTo(connection, key, 'EVALSHA', [script.sha, ...rest])
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return sendTo(connection, key, 'EVAL', [script.source, ...rest])
  }
}

function sendTo(connection: RedisConnection, key: string, command: string, args: string[]): Promise<unknown> {
  if ('call' in connection) return connection.call(command, ...args)
  // A cluster finds the node by the key.
  if ('masters' in connection) return connection.sendCommand(key, false, [command, ...args])
  return connection.sendCommand([command, ...args])
}
