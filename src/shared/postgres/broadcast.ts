import { randomUUID } from 'node:crypto'
import type { CallbackBroadcast } from '../../callbacks/index.js'
import { hasMethod } from '../../client/input/own.js'
import { type Rows, read } from '../../client/input/reader.js'
import { byDefault, is, required } from '../../client/input/rows.js'
import { doorOf } from '../stores/door.js'
import { Listeners } from '../stores/listeners.js'
import { readMessage, writeMessage } from '../stores/payment-message.js'
import type { PostgresPool } from './pool.js'
import { listenerOf } from './pool-listener.js'

/** Options of {@link postgresBroadcast}. */
export interface PostgresBroadcastOptions {
  /**
   * Your `Pool` of pg. One of its clients listens until `close()`, one for all broadcasts over the same pool; it must
   * not go through a pooler by transactions.
   */
  pool: PostgresPool
  /** The channel: another one for each merchant. Default `merchant_gateway_callbacks`. */
  channel?: string | undefined
}

/** A {@link CallbackBroadcast} that can be ended. */
export interface PostgresBroadcast extends CallbackBroadcast {
  /** Listens no more; the last one over a pool ends the connection that listens. Before `pool.end()`, which waits for it. */
  close(): Promise<void>
}

const rows = {
  pool: required(
    is<PostgresPool>('a Pool of pg', (value) => hasMethod(value, 'query') && hasMethod(value, 'connect')),
  ),
  channel: byDefault(
    is<string>(
      'a name of letters, digits and underscores, 63 at most',
      (value) => typeof value === 'string' && /^[A-Za-z_]\w{0,62}$/.test(value),
    ),
    'merchant_gateway_callbacks',
  ),
} satisfies Rows<PostgresBroadcastOptions>

/**
 * Carries word of callbacks between processes by LISTEN and NOTIFY of PostgreSQL: the option `broadcast` of
 * `CallbackReceiver`. A connection that breaks is replaced, and what is lost meanwhile is found by polling.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const broadcast = postgresBroadcast({ pool })
 * const callbacks = new CallbackReceiver({ client, publicUrl, onPayin, broadcast })
 */
export function postgresBroadcast(options: PostgresBroadcastOptions): PostgresBroadcast {
  const { pool, channel } = read(options, rows, doorOf('postgresBroadcast', 'pool'))
  const own = randomUUID()
  const listeners = new Listeners()
  const pooled = listenerOf(pool)
  const hear = (payload: string | undefined) => {
    const payment = readMessage(payload, own)
    if (payment !== undefined) listeners.tell(payment)
  }
  let isClosed = false
  return {
    async publish(payment) {
      const message = writeMessage(own, payment)
      if (message !== undefined) await pool.query('SELECT pg_notify($1, $2)', [channel, message])
    },
    subscribe(listener) {
      if (!isClosed) pooled.add(channel, hear)
      return listeners.add(listener)
    },
    async close() {
      isClosed = true
      listeners.clear()
      await pooled.remove(channel, hear)
    },
  }
}
