import { Socket } from 'node:net'
import type { buildConnector, Client, Dispatcher } from 'undici'
import { skipContinue } from './skip-continue.js'

/** One request at a time goes over it. */
export interface UsableConnection {
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void
  /** The request is about to be written. */
  started(): void
  /** The request has come to its end: the next one may have it. */
  release(): void
  /** Nothing that comes on it from now on can be believed: it is ended, and no request is. */
  distrust(): void
  /** The request is given up, whatever it is doing, and nothing of it is kept. */
  destroy(): void | Promise<void>
  /** Whether a request that failed before it was said to have started may have been written. */
  mayHaveSent(cause: unknown): boolean
}

/** A request that waits for a connection. */
export interface ConnectionUser {
  use(connection: UsableConnection): void
}

export interface ConnectionsOptions {
  readonly connect: buildConnector.connector
  readonly open: (connect: buildConnector.connector) => Client
  /** How many there may be; who comes then waits for one. */
  readonly most: number
}

/**
 * Keep-alive connections to one origin, each an undici client of its own. undici's pool doesn't say which
 * connection an answer came on, so that none could be ended after an answer that casts doubt on it, and it
 * keeps what was given up while it connected.
 */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #all = new Set<Connection>()
  /** The one that was used last is taken first, so that the others may go. */
  readonly #idle: Connection[] = []
  readonly #waiting = new Set<ConnectionUser>()

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  /** How many there are, those that are being made included. */
  get size(): number {
    return this.#all.size
  }

  /** Hands over a connection, now or when there is one to be had. */
  take(user: ConnectionUser): void {
    const free = this.#free()
    if (free === undefined) this.#waiting.add(user)
    else user.use(free)
  }

  /** Waits no longer. */
  leave(user: ConnectionUser): void {
    this.#waiting.delete(user)
  }

  async close(): Promise<void> {
    this.#waiting.clear()
    await Promise.all([...this.#all].map((connection) => connection.destroy()))
  }

  #free(): Connection | undefined {
    const idle = this.#idle.pop()
    if (idle !== undefined) idle.inUse = true
    if (idle !== undefined || this.#all.size >= this.#options.most) return idle
    const made: Connection = new Connection(this.#options, {
      onFree: () => {
        this.#idle.push(made)
        this.#serve()
      },
      onEnd: () => {
        this.#all.delete(made)
        const at = this.#idle.indexOf(made)
        if (at !== -1) this.#idle.splice(at, 1)
        this.#serve()
      },
    })
    this.#all.add(made)
    return made
  }

  #serve(): void {
    if (this.#waiting.size === 0) return
    // undici is told of the next request when it is through with this one.
    queueMicrotask(() => {
      for (const user of this.#waiting) {
        const free = this.#free()
        if (free === undefined) return
        this.#waiting.delete(user)
        user.use(free)
      }
    })
  }
}

interface ConnectionEnds {
  readonly onFree: () => void
  readonly onEnd: () => void
}

class Connection implements UsableConnection {
  readonly #client: Client
  readonly #ends: ConnectionEnds
  /** While the connection is being made. */
  #making: Socket | undefined
  #socket: Socket | undefined
  #begin: (() => void) | undefined
  #ended = false
  inUse = true

  constructor({ connect, open }: ConnectionsOptions, ends: ConnectionEnds) {
    this.#ends = ends
    this.#client = open((options, callback) => {
      const making: unknown = connect(options, (...result) => {
        this.#making = undefined
        const [, socket] = result
        if (socket instanceof Socket) {
          this.#socket = socket
          this.#begin = skipContinue(socket)
        }
        callback(...result)
      })
      if (making instanceof Socket) this.#making = making
    })
    // Where a request waits to be written, undici makes the connection anew.
    this.#client.on('disconnect', () => {
      if (!this.inUse) void this.destroy()
    })
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(options, handler)
  }

  started(): void {
    this.#begin?.()
  }

  release(): void {
    if (this.#ended || !this.inUse) return
    this.inUse = false
    this.#ends.onFree()
  }

  distrust(): void {
    this.#socket?.destroy()
  }

  destroy(): Promise<void> {
    if (this.#ended) return Promise.resolve()
    this.#ended = true
    this.inUse = false
    const ended = this.#client.destroy()
    // With an error: without one undici's connector never calls back, and keeps its client for good.
    this.#making?.destroy(new Error('given up'))
    this.#ends.onEnd()
    return ended
  }

  mayHaveSent(): boolean {
    return false
  }
}
