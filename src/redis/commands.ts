import { createHash } from 'node:crypto'

/** A client of ioredis, or one of its clusters. */
export interface IoRedisConnection {
  call(command: string, ...args: (string | Buffer)[]): Promise<unknown>
}

/** A client of node-redis, connected by whoever made it. */
export interface NodeRedisConnection {
  sendCommand(args: (string | Buffer)[]): Promise<unknown>
}

/** The merchant's own connection to Redis: nothing here opens one, or closes it. */
export type RedisConnection = IoRedisConnection | NodeRedisConnection

/** A script that Redis runs as one step. */
export interface RedisScript {
  readonly source: string
  readonly sha: string
}

/** A script, by the name that Redis gives it. */
export function redisScript(source: string): RedisScript {
  return { source, sha: createHash('sha1').update(source).digest('hex') }
}

/** Sends one command, whichever library the connection is of. */
export function send(connection: RedisConnection, command: string, ...args: string[]): Promise<unknown> {
  return 'call' in connection ? connection.call(command, ...args) : connection.sendCommand([command, ...args])
}

/** Runs a script by its name, and sends it whole where Redis has forgotten it: after a restart, a failover, `SCRIPT FLUSH`. */
export async function run(
  connection: RedisConnection,
  { sha, source }: RedisScript,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  const rest = [String(keys.length), ...keys, ...args]
  try {
    return await send(connection, 'EVALSHA', sha, ...rest)
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error
    return send(connection, 'EVAL', source, ...rest)
  }
}
