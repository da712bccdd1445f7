import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** What a server holds of others at most. */
export interface ConnectionLimits {
  readonly maxConnections: number
  /** Of bodies that have not come to their end, all connections together. */
  readonly maxUnreadBytes: number
}

interface State {
  underWay: number
  bytes: number
}

/**
 * Keeps a place free for the next client, whatever the ones before do. When there are too many connections,
 * one that waits for nothing makes room: first those that have never asked anything to its end, the oldest
 * first, and then those that are kept alive. A connection whose request is being answered is never taken.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #open = new Map<Socket, State>()
  readonly #strangers = new Set<Socket>()
  readonly #resting = new Set<Socket>()
  #bytes = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  watch(server: Server): void {
    // Evicted ones are counted until they are closed, and hundreds may come in one turn.
    server.maxConnections = this.#limits.maxConnections * 2
    server.on('connection', (socket) => this.#add(socket))
  }

  /** A request has come to its end, and its answer is being made. */
  begin(socket: Socket): void {
    const state = this.#open.get(socket)
    if (state === undefined) return
    this.#release(state)
    state.underWay += 1
    this.#strangers.delete(socket)
    this.#resting.delete(socket)
  }

  /** Its answer has left, or never will. */
  end(socket: Socket): void {
    const state = this.#open.get(socket)
    // A request that broke off before its end has not begun.
    if (state === undefined || state.underWay === 0) return
    state.underWay -= 1
    if (state.underWay === 0) this.#resting.add(socket)
  }

  /** A piece of a body is held until the rest of it comes. */
  hold(socket: Socket, bytes: number): void {
    const state = this.#open.get(socket)
    if (state === undefined) return
    state.bytes += bytes
    this.#bytes += bytes
    if (this.#bytes > this.#limits.maxUnreadBytes) this.#dropLargest()
  }

  #add(socket: Socket): void {
    if (this.#open.size >= this.#limits.maxConnections && !this.#makeRoom()) {
      socket.destroy()
      return
    }
    this.#open.set(socket, { underWay: 0, bytes: 0 })
    this.#strangers.add(socket)
    socket.once('close', () => this.#remove(socket))
  }

  #makeRoom(): boolean {
    const oldest = first(this.#strangers) ?? first(this.#resting)
    if (oldest === undefined) return false
    this.#remove(oldest)
    oldest.destroy()
    return true
  }

  #dropLargest(): void {
    let largest: Socket | undefined
    let most = 0
    for (const [socket, { bytes }] of this.#open) {
      if (bytes <= most) continue
      largest = socket
      most = bytes
    }
    if (largest === undefined) return
    this.#remove(largest)
    largest.destroy()
  }

  #remove(socket: Socket): void {
    const state = this.#open.get(socket)
    if (state !== undefined) this.#release(state)
    this.#open.delete(socket)
    this.#strangers.delete(socket)
    this.#resting.delete(socket)
  }

  #release(state: State): void {
    this.#bytes -= state.bytes
    state.bytes = 0
  }
}

function first<T>(values: Iterable<T>): T | undefined {
  for (const value of values) return value
  return undefined
}
