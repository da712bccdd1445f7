import { atMost, endMs } from '../stores/at-most.js'
import { keepTrying, warnOnce } from '../stores/keep-trying.js'
import type { LentPostgresClient, PostgresPool } from './pool.js'

type Hear = (payload: string | undefined) => void

/** The client that listens. */
interface Connection {
  readonly client: LentPostgresClient
  /** Gives it up. */
  readonly end: () => void
  /** Channels that have come or gone since it was told. */
  readonly changed: Set<string>
  /** There while it is being told. */
  telling?: Promise<void> | undefined
}

const ofPools = new WeakMap<PostgresPool, PoolListener>()

/** The one listener of a pool: a client for each merchant would use the pool up. */
export function listenerOf(pool: PostgresPool): PoolListener {
  const listener = ofPools.get(pool) ?? new PoolListener(pool)
  ofPools.set(pool, listener)
  return listener
}

/** Listens to any number of channels over one client of the pool, for as long as somebody wants to hear of one. */
export class PoolListener {
  readonly #pool: PostgresPool
  readonly #channels = new Map<string, Set<Hear>>()
  readonly #warn = warnOnce('postgresBroadcast')
  #ending = new AbortController()
  #connecting: Promise<void> = Promise.resolve()
  #connection: Connection | undefined

  constructor(pool: PostgresPool) {
    this.#pool = pool
  }

  /** Calls back with what comes through the channel, until it is removed. */
  add(channel: string, hear: Hear): void {
    const hearing = this.#channels.get(channel)
    if (hearing !== undefined) {
      hearing.add(hear)
      return
    }
    this.#channels.set(channel, new Set([hear]))
    // While it connects, the channel is among those that it will listen to.
    if (this.#connection !== undefined) void this.#changed(this.#connection, channel)
    else if (this.#channels.size === 1) this.#connect()
  }

  /**
   * It is heard no more from now on. Settles when the server knows, or hangs for too long; and with the last one when
   * the client has gone back to the pool.
   */
  async remove(channel: string, hear: Hear): Promise<void> {
    const hearing = this.#channels.get(channel)
    if (hearing === undefined || !hearing.delete(hear) || hearing.size > 0) return
    this.#channels.delete(channel)
    if (this.#channels.size === 0) await this.#end()
    else if (this.#connection !== undefined) await atMost(endMs, this.#changed(this.#connection, channel))
  }

  #connect(): void {
    const { signal } = this.#ending
    this.#connecting = keepTrying(() => this.#listen(signal), signal, this.#warn)
  }

  async #end(): Promise<void> {
    this.#ending.abort()
    this.#ending = new AbortController()
    this.#connection?.end()
    await this.#connecting
  }

  async #listen(ending: AbortSignal): Promise<void> {
    const client = await lentBy(this.#pool, ending)
    if (client === undefined) return
    // It may have ended since the pool lent it.
    if (ending.aborted) {
      client.release()
      return
    }
    let isOver = false
    let isListening = false
    const end = () => {
      if (isOver) return
      isOver = true
      if (this.#connection?.client === client) this.#connection = undefined
      client.release(true)
      if (isListening && !ending.aborted) this.#connect()
    }
    client.on('error', end)
    client.on('end', end)
    client.on('notification', ({ channel, payload }) => {
      for (const hear of this.#channels.get(channel) ?? []) hear(payload)
    })
    const connection: Connection = { client, end, changed: new Set(this.#channels.keys()) }
    this.#connection = connection
    try {
      await this.#tell(connection)
    } catch (error) {
      end()
      throw error
    }
    if (isOver) throw new Error('the connection was lost')
    isListening = true
    client.unref?.()
  }

  /** A connection that can't be told is lost. */
  #changed(connection: Connection, channel: string): Promise<void> {
    connection.changed.add(channel)
    return this.#tell(connection).catch(connection.end)
  }

  /** One statement at a time, as pg wants it; and what has changed meanwhile is one more. */
  #tell(connection: Connection): Promise<void> {
    const { client, changed } = connection
    const tell = async () => {
      try {
        while (changed.size > 0) {
          const statements = [...changed].map((channel) =>
            this.#channels.has(channel) ? `LISTEN "${channel}"` : `UNLISTEN "${channel}"`,
          )
          changed.clear()
          await client.query(statements.join('; '))
        }
      } finally {
        connection.telling = undefined
      }
    }
    connection.telling ??= tell()
    return connection.telling
  }
}

/**
 * A client of the pool; undefined when the signal fires first. A pool that is used up lends none for as long as it is,
 * and one that was ended never does: an end must not wait for that. A client that comes later goes back.
 */
function lentBy(pool: PostgresPool, ending: AbortSignal): Promise<LentPostgresClient | undefined> {
  return new Promise((resolve, reject) => {
    const giveUp = () => resolve(undefined)
    ending.addEventListener('abort', giveUp)
    pool
      .connect()
      .then((client) => (ending.aborted ? client.release() : resolve(client)), reject)
      .finally(() => ending.removeEventListener('abort', giveUp))
  })
}
