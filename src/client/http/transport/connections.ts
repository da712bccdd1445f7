import { Connection, type ConnectionOptions, type UsableConnection } from './connection.js'
import { openSocket, SpareSockets } from './spare-sockets.js'
import type { Connecting } from './transport.js'

/** A request that waits for a connection. */
export interface ConnectionUser {
  /** Whether it wants a connection that nothing was written on. */
  readonly wantsFresh: boolean
  use(connection: UsableConnection): void
}

/** Where the requests of a transport get their connections. */
export interface ConnectionSource {
  /** Opens a connection where there is none to be had. */
  readonly connect: () => Connecting | undefined
  /** Hands over a connection, now or when there is one to be had. */
  take(user: ConnectionUser): void
  /** Waits no longer. */
  leave(user: ConnectionUser): void
  close(): Promise<void>
}

export interface ConnectionsOptions extends ConnectionOptions {
  readonly origin: string
  /** How many there may be; who comes then waits for one. */
  readonly most: number
}

/**
 * Keep-alive connections to one origin, each an undici client of its own. undici's pool doesn't say which
 * connection an answer came on, so that none could be ended after an answer that casts doubt on it, and it
 * keeps what was given up while it connected.
 */
export class Connections implements ConnectionSource {
  readonly #options: ConnectionsOptions
  readonly #all = new Set<Connection>()
  /** The one that was used last is taken first, so that the others may go. */
  readonly #idle: Connection[] = []
  readonly #waiting = new Set<ConnectionUser>()
  readonly #spare = new SpareSockets()
  readonly #opening = new Set<Connecting>()
  #closed = false

  constructor(options: ConnectionsOptions) {
    this.#options = options
  }

  /** How many there are, those that are being made included. */
  get size(): number {
    return this.#all.size
  }

  readonly connect = (): Connecting | undefined => {
    const { most } = this.#options
    if (this.#closed || this.#idle.length > 0 || this.#spare.size > 0) return undefined
    if (this.#opening.size >= mostOpening || this.#all.size + this.#opening.size >= most) return undefined
    const opening = openSocket(this.#options, (socket) => this.#spare.add(socket))
    this.#opening.add(opening)
    void opening.done.then(() => this.#opening.delete(opening))
    return opening
  }

  take(user: ConnectionUser): void {
    const idle = this.#idle.at(-1)
    if (idle !== undefined && !user.wantsFresh) {
      this.#idle.pop()
      idle.inUse = true
      user.use(idle)
    } else if (this.#all.size < this.#options.most) {
      user.use(this.#open())
    } else if (idle !== undefined) {
      // It makes room for a new one.
      void idle.destroy()
      user.use(this.#open())
    } else {
      this.#waiting.add(user)
    }
  }

  leave(user: ConnectionUser): void {
    this.#waiting.delete(user)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#waiting.clear()
    this.#spare.destroy()
    for (const opening of this.#opening) opening.giveUp()
    await Promise.all([...this.#all].map((connection) => connection.destroy()))
  }

  #open(): Connection {
    const opened: Connection = new Connection(this.#options, this.#spare, {
      onFree: () => {
        this.#idle.push(opened)
        if (this.#waiting.size > 0) this.#serve()
      },
      onEnd: () => {
        this.#all.delete(opened)
        const at = this.#idle.indexOf(opened)
        if (at !== -1) this.#idle.splice(at, 1)
        if (this.#waiting.size > 0) this.#serve()
      },
    })
    this.#all.add(opened)
    return opened
  }

  /** Those who wait, for as long as there is a connection for the next one. */
  #serve(): void {
    // undici is told of the next request when it is through with this one.
    queueMicrotask(() => {
      for (const user of this.#waiting) {
        if (this.#idle.length === 0 && this.#all.size >= this.#options.most) return
        this.#waiting.delete(user)
        this.take(user)
      }
    })
  }
}

/** How many may be opened at once before there is a permit: as many as the gateway takes requests in a second. */
const mostOpening = 10
