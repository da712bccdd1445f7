/** A client of ioredis that does nothing but subscribe: `redis.duplicate()`. */
export interface IoRedisSubscriber {
  /** Sends any command: by it a client of ioredis is known. */
  call(command: string, ...args: string[]): Promise<unknown>
  /** Subscribes to a channel, and again after each reconnection. */
  subscribe(channel: string): Promise<unknown>
  /** Ends that. */
  unsubscribe(channel: string): Promise<unknown>
  /** Adds a listener. */
  on(event: 'message', listener: (channel: string, message: string) => void): unknown
  /** Removes it. */
  off(event: 'message', listener: (channel: string, message: string) => void): unknown
}

/** A client of node-redis that does nothing but subscribe: `redis.duplicate()`, connected. */
export interface NodeRedisSubscriber {
  /** Subscribes to a channel, and again after each reconnection. */
  subscribe(channel: string, listener: (message: string) => void): Promise<unknown>
  /** Ends that. */
  unsubscribe(channel: string, listener: (message: string) => void): Promise<unknown>
}

type Hear = (message: string) => void

/** Any number of channels over one client, the same for both libraries. */
export interface Subscriptions {
  /** Calls back with what comes through a channel. It may be tried again after it failed. */
  begin(channel: string, hear: Hear): Promise<unknown>
  /** Ends that. */
  end(channel: string, hear: Hear): Promise<unknown>
}

const ofIoRedis = new WeakMap<IoRedisSubscriber, IoRedisSubscriptions>()

/** What is subscribed to over a client: the same object for the same client. */
export function subscriptionsOf(subscriber: IoRedisSubscriber | NodeRedisSubscriber): Subscriptions {
  if (!('call' in subscriber)) {
    return {
      begin: (channel, hear) => subscriber.subscribe(channel, hear),
      end: (channel, hear) => subscriber.unsubscribe(channel, hear),
    }
  }
  const subscriptions = ofIoRedis.get(subscriber) ?? new IoRedisSubscriptions(subscriber)
  ofIoRedis.set(subscriber, subscriptions)
  return subscriptions
}

/** ioredis tells every listener of every message: so there is one, that knows who wants to hear of which channel. */
class IoRedisSubscriptions implements Subscriptions {
  readonly #subscriber: IoRedisSubscriber
  readonly #channels = new Map<string, Set<Hear>>()

  constructor(subscriber: IoRedisSubscriber) {
    this.#subscriber = subscriber
  }

  async begin(channel: string, hear: Hear): Promise<void> {
    if (this.#channels.size === 0) this.#subscriber.on('message', this.#onMessage)
    const hearing = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, hearing.add(hear))
    await this.#subscriber.subscribe(channel)
  }

  async end(channel: string, hear: Hear): Promise<void> {
    const hearing = this.#channels.get(channel)
    if (hearing === undefined || !hearing.delete(hear) || hearing.size > 0) return
    this.#channels.delete(channel)
    if (this.#channels.size === 0) this.#subscriber.off('message', this.#onMessage)
    await this.#subscriber.unsubscribe(channel)
  }

  readonly #onMessage = (channel: string, message: string): void => {
    for (const hear of this.#channels.get(channel) ?? []) hear(message)
  }
}
