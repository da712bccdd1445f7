import { isObject } from '../../client/input/own.js'
import type { PayoutConnection } from './types.js'
import { wrongOption } from './wrong-option.js'

/** A connection as BullMQ takes it. */
export type EngineConnection =
  | { readonly store: 'redis'; readonly connection: object }
  | { readonly store: 'postgres'; readonly connection: Record<string, unknown>; readonly schema: string }

const expected =
  'must be an address (redis://…, rediss://…, postgres://…), { redis } or { postgres }; it is not shown, since it may hold a password'

/** @throws {ConfigurationError} for what names no store. It never quotes an address. */
export function readConnection(given: PayoutConnection, migrate: boolean): EngineConnection {
  if (typeof given === 'string' || given instanceof URL) {
    const protocol = URL.canParse(String(given)) ? new URL(given).protocol : ''
    if (/^rediss?:$/.test(protocol)) return redis(given)
    if (/^postgres(?:ql)?:$/.test(protocol)) return postgres(given, undefined, migrate)
    throw wrongOption('connection', expected)
  }
  if (!isObject(given)) throw wrongOption('connection', expected)
  if ('redis' in given && Object.keys(given).length === 1) return redis(given.redis)
  if ('postgres' in given && Object.keys(given).every((name) => name === 'postgres' || name === 'schema')) {
    return postgres(given.postgres, given.schema, migrate)
  }
  throw wrongOption('connection', expected)
}

function redis(given: string | URL | object): EngineConnection {
  if (typeof given === 'string' || given instanceof URL) {
    if (!URL.canParse(String(given)) || !/^rediss?:$/.test(new URL(given).protocol)) {
      throw wrongOption('connection.redis', 'must be a redis:// or rediss:// address, options or a client')
    }
    return { store: 'redis', connection: { url: String(given) } }
  }
  if (typeof given !== 'object' || given === null) throw wrongOption('connection', expected)
  return { store: 'redis', connection: given }
}

const defaultSchema = 'bullmq'

function postgres(given: string | URL | object, schema: unknown, migrate: boolean): EngineConnection {
  const name = schema ?? defaultSchema
  if (typeof name !== 'string' || !/^[A-Za-z_][A-Za-z0-9_$]{0,62}$/.test(name)) {
    throw wrongOption(
      'connection.schema',
      'must be a plain name of a PostgreSQL schema, 63 characters at most',
    )
  }
  if (typeof given === 'string' || given instanceof URL) {
    return {
      store: 'postgres',
      schema: name,
      connection: { connectionString: String(given), schema: name, migrate },
    }
  }
  if (typeof given !== 'object' || given === null) throw wrongOption('connection', expected)
  if ('query' in given) {
    // BullMQ pins the schema on every connection of a pool that it opens, and can't on one of yours.
    throw wrongOption('connection.postgres', 'must be an address or the options of a pool, not a pool')
  }
  return { store: 'postgres', schema: name, connection: { ...given, schema: name, migrate } }
}
