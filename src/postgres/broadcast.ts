import { randomUUID } from 'node:crypto'
import type { CallbackBroadcast } from '../callbacks/index.js'
import { hasMethod } from '../input/own.js'
import { type Rows, read } from '../input/reader.js'
import { byDefault, is, required } from '../input/rows.js'
import { doorOf } from '../stores/door.js'
import { keepTrying, warnOnce } from '../stores/keep-trying.js'
import { Listeners } from '../stores/listeners.js'
import { readMessage, writeMessage } from '../stores/payment-message.js'
import type { PostgresConnection } from './query.js'

/** A client that a pool of pg has lent. */
export interface LentPostgresClient extends PostgresConnection {
  /** Adds a listener. */
  on(
    event: 'notification',
    listener: (message: { channel: string; payload?: string | undefined }) => void,
  ): unknown
  /** Adds a listener. */
  on(event: 'error' | 'end', listener: () => void): unknown
  /** Gives the client back; with `true`, ends its connection. */
  release(destroy?: boolean): void
  /** Lets the process end while the connection is open. */
  unref?(): void
}

/** A `Pool` of pg. */
export interface PostgresPool extends PostgresConnection {
  /** Lends a client. */
  connect(): Promise<LentPostgresClient>
}

/** Options of {@link postgresBroadcast}. */
export interface PostgresBroadcastOptions {
  /** Your `Pool` of pg. One of its clients listens until `close()`; it must not go through a pooler by transactions. */
  pool: PostgresPool
  /** The channel: another one for each merchant. Default `merchant_gateway_callbacks`. */
  channel?: string | undefined
}

/** A {@link CallbackBroadcast} that can be ended. */
export interface PostgresBroadcast extends CallbackBroadcast {
  /** Ends the connection that listens. Before `pool.end()`, which waits for it. */
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
  const closing = new AbortController()
  const warn = warnOnce('postgresBroadcast')
  let begun: Promise<void> | undefined
  let release = () => {}

  async function listen(): Promise<void> {
    const client = await pool.connect()
    let isOver = false
    const end = () => {
      if (isOver) return false
      isOver = true
      client.release(true)
      return true
    }
    const lost = () => {
      if (end() && !closing.signal.aborted) begin()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notification', ({ payload }) => {
      const payment = readMessage(payload, own)
      if (payment !== undefined) listeners.tell(payment)
    })
    release = end
    try {
      if (!closing.signal.aborted) await client.query(`LISTEN "${channel}"`)
    } catch (error) {
      end()
      throw error
    }
    if (closing.signal.aborted) end()
    else client.unref?.()
  }

  function begin(): void {
    begun = keepTrying(listen, closing.signal, warn)
  }

  return {
    async publish(payment) {
      const message = writeMessage(own, payment)
      if (message !== undefined) await pool.query('SELECT pg_notify($1, $2)', [channel, message])
    },
    subscribe(listener) {
      if (begun === undefined) begin()
      return listeners.add(listener)
    },
    async close() {
      closing.abort()
      listeners.clear()
      release()
      await begun
    },
  }
}
