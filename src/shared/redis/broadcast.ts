import { randomUUID } from 'node:crypto'
import type { CallbackBroadcast } from '../../callbacks/index.js'
import { hasMethod } from '../../client/input/own.js'
import { type Rows, read } from '../../client/input/reader.js'
import { is, required } from '../../client/input/rows.js'
import { atMost, endMs } from '../stores/at-most.js'
import { doorOf } from '../stores/door.js'
import { keepTrying, warnOnce } from '../stores/keep-trying.js'
import { Listeners } from '../stores/listeners.js'
import { readMessage, writeMessage } from '../stores/payment-message.js'
import { type RedisConnection, send } from './commands.js'
import { connectionRow, prefixRow } from './options.js'
import { type IoRedisSubscriber, type NodeRedisSubscriber, subscriptionsOf } from './subscriptions.js'

/** Options of {@link redisBroadcast}. */
export interface RedisBroadcastOptions {
  /** Your client of ioredis or of node-redis, connected. It is neither opened nor closed here. */
  connection: RedisConnection
  /**
   * Another one, since Redis lets a connection that subscribes do little else: `connection.duplicate()`. One serves
   * the broadcasts of all merchants.
   */
  subscriber: IoRedisSubscriber | NodeRedisSubscriber
  /** What the channel begins with: another one for each merchant. Default `merchant-gateway`. */
  prefix?: string | undefined
}

/** A {@link CallbackBroadcast} that can be ended. */
export interface RedisBroadcast extends CallbackBroadcast {
  /** Unsubscribes. Your connections stay open, and are yours to close. */
  close(): Promise<void>
}

const rows = {
  connection: connectionRow,
  subscriber: required(
    is<IoRedisSubscriber | NodeRedisSubscriber>(
      'a second client of ioredis or of node-redis, such as connection.duplicate()',
      (value) => hasMethod(value, 'subscribe') && hasMethod(value, 'unsubscribe'),
    ),
  ),
  prefix: prefixRow,
} satisfies Rows<RedisBroadcastOptions>

/**
 * Carries word of callbacks between processes by publish and subscribe of Redis: the option `broadcast` of
 * `CallbackReceiver`. Your connections reconnect by themselves, and what is lost meanwhile is found by polling.
 *
 * @throws {ConfigurationError} naming the option that is unknown, missing or wrong.
 * @example
 * const broadcast = redisBroadcast({ connection: redis, subscriber: redis.duplicate() })
 * const callbacks = new CallbackReceiver({ client, publicUrl, onPayin, broadcast })
 */
export function redisBroadcast(options: RedisBroadcastOptions): RedisBroadcast {
  const door = doorOf('redisBroadcast', 'connection and subscriber')
  const { connection, subscriber, prefix } = read(options, rows, door)
  if (Object.is(subscriber, connection)) {
    throw door.refuse('subscriber', 'must be another client than connection, such as connection.duplicate()')
  }
  const channel = `${prefix}:callbacks`
  const own = randomUUID()
  const listeners = new Listeners()
  const closing = new AbortController()
  const subscriptions = subscriptionsOf(subscriber)
  const hear = (message: string) => {
    const payment = readMessage(message, own)
    if (payment !== undefined) listeners.tell(payment)
  }
  let begun: Promise<void> | undefined
  return {
    async publish(payment) {
      const message = writeMessage(own, payment)
      if (message !== undefined) await send(connection, 'PUBLISH', channel, message)
    },
    subscribe(listener) {
      begun ??= keepTrying(
        () => subscriptions.begin(channel, hear),
        closing.signal,
        warnOnce('redisBroadcast'),
      )
      return listeners.add(listener)
    },
    async close() {
      if (closing.signal.aborted) return
      closing.abort()
      listeners.clear()
      if (begun === undefined) return
      // A connection that is gone has nothing to unsubscribe from, and both libraries wait until it is back.
      const ended = subscriptions.end(channel, hear).then(
        () => {},
        () => {},
      )
      await atMost(endMs, ended)
    },
  }
}
