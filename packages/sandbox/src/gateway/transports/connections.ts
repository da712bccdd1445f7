import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How many connections and how many bytes of unfinished bodies a server holds at most. */
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
 * Keeps room for the next client, whatever the ones before do. When there are too many connections, one without
 * a request in progress is closed: first those that have not completed any request, the oldest first, and then
 * those that are kept alive. A connection whose request is being answered is never closed.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #open = new Map<Socket, State>()
  readonly #withoutRequest = new Set<Socket>()
  readonly #idle = new Set<Socket>()
  #bytes = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  watch(server: Server): void {
    // Node counts evicted connections until they are closed, and hundreds may come within one turn of the event loop.
    server.maxConnections = this.#limits.maxConnections * 2
    server.on('connection', (socket) => this.#add(socket))
  }

  /** A request has come to its end, and its answer is being made. */
  begin(socket: Socket): void {
    const state = this.#open.get(socket)
    if (state === undefined) return
    this.#release(state)
    state.underWay += 1
    this.#withoutRequest.delete(socket)
    this.#idle.delete(socket)
  }

  /** Its answer has left, or never will. */
  end(socket: Socket): void {
    const state = this.#open.get(socket)
    // A request that broke off before its end has not begun.
    if (state === undefined || state.underWay === 0) return
    state.underWay -= 1
    if (state.underWay === 0) this.#idle.add(socket)
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
    this.#withoutRequest.add(socket)
    socket.once('close', () => this.#remove(socket))
  }

  #makeRoom(): boolean {
    const oldest = first(this.#withoutRequest) ?? first(this.#idle)
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
    this.#withoutRequest.delete(socket)
    this.#idle.delete(socket)
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
