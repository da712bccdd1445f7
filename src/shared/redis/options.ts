import { hasMethod } from '../../client/input/own.js'
import type { Row } from '../../client/input/reader.js'
import { byDefault, is, required } from '../../client/input/rows.js'
import type { RedisConnection } from './commands.js'

/** The option `connection`. */
export const connectionRow: Row<RedisConnection> = required(
  is<RedisConnection>(
    'a client of ioredis or of node-redis',
    (value) => hasMethod(value, 'call') || hasMethod(value, 'sendCommand'),
  ),
)

/** The option `prefix`. */
export const prefixRow: Row<string> = byDefault(
  is<string>(
    'a text of letters, digits, dots, dashes, colons and underscores',
    (value) => typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value),
  ),
  'merchant-gateway',
)
