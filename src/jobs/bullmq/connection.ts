import { isObject } from '../../client/input/own.js'
import type { QueueConnection } from './types.js'
import { wrongOption } from './wrong-option.js'

/** A connection as BullMQ takes it. */
export type EngineConnection =
  | { readonly store: 'redis'; readonly connection: object }
  | { readonly store: 'postgres'; readonly connection: Record<string, unknown>; readonly schema: string }

const expected =
  'must be an address (redis://…, rediss://…, postgres://…), { redis } or { postgres }; it is not shown, since it may hold a password'

/** @throws {ConfigurationError} for what names no store. It never quotes an address. */
export function readConnection(option: QueueConnection, migrate: boolean): EngineConnection {
  if (typeof option === 'string' || option instanceof URL) {
    const protocol = URL.canParse(String(option)) ? new URL(option).protocol : ''
    if (/^rediss?:$/.test(protocol)) return redis(option)
    if (/^postgres(?:ql)?:$/.test(protocol)) return postgres(option, undefined, migrate)
    throw wrongOption('connection', expected)
  }
  if (!isObject(option)) throw wrongOption('connection', expected)
  if ('redis' in option && Object.keys(option).length === 1) return redis(option.redis)
  if ('postgres' in option && Object.keys(option).every((name) => name === 'postgres' || name === 'schema')) {
    return postgres(option.postgres, option.schema, migrate)
  }
  throw wrongOption('connection', expected)
}

function redis(value: string | URL | object): EngineConnection {
  if (typeof value === 'string' || value instanceof URL) {
    if (!URL.canParse(String(value)) || !/^rediss?:$/.test(new URL(value).protocol)) {
      throw wrongOption('connection.redis', 'must be a redis:// or rediss:// address, options or a client')
    }
    return { store: 'redis', connection: { url: String(value) } }
  }
  if (typeof value !== 'object' || value === null) throw wrongOption('connection', expected)
  return { store: 'redis', connection: value }
}

const defaultSchema = 'bullmq'
/** By default pg waits for ever for a server that takes a connection and says nothing, and keeps the process alive. */
const connectionTimeoutMillis = 30_000

function postgres(value: string | URL | object, schema: unknown, migrate: boolean): EngineConnection {
  const name = schema ?? defaultSchema
  if (typeof name !== 'string' || !/^[A-Za-z_][A-Za-z0-9_$]{0,62}$/.test(name)) {
    throw wrongOption(
      'connection.schema',
      'must be a plain name of a PostgreSQL schema, 63 characters at most',
    )
  }
  if (typeof value === 'string' || value instanceof URL) {
    return {
      store: 'postgres',
      schema: name,
      connection: { connectionTimeoutMillis, connectionString: String(value), schema: name, migrate },
    }
  }
  if (typeof value !== 'object' || value === null) throw wrongOption('connection', expected)
  if ('query' in value) {
    // BullMQ pins the schema on every connection of a pool that it opens, and can't on one of yours.
    throw wrongOption('connection.postgres', 'must be an address or the options of a pool, not a pool')
  }
  return {
    store: 'postgres',
    schema: name,
    connection: { connectionTimeoutMillis, ...value, schema: name, migrate },
  }
}
