import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'

const current = new AsyncLocalStorage<RequestOnWire>()
const ofRequest = new WeakMap<object, RequestOnWire>()
/** Whose request was written last on a socket. */
const lastOn = new WeakMap<Socket, RequestOnWire | undefined>()
const connectErrors = new WeakSet<object>()
/** Whose handler has just been told that its request starts: what is written next is that one. */
let starting: RequestOnWire | undefined
let isListening = false

/** The connections of a `fetch` or a dispatcher, as far as undici tells of them. */
export class KnownSockets {
  readonly #sockets = new Set<Socket>()

  add(socket: Socket): void {
    if (this.#sockets.has(socket)) return
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }

  /** Ends those whose last request was one of ours and has ended: whatever comes next goes out on another one. */
  endIdle(): void {
    for (const socket of this.#sockets) if (lastOn.get(socket)?.hasEnded === true) socket.destroy()
  }
}

/**
 * What undici publishes of one request on its diagnostics channels, whoever's undici it is: Node's own under
 * `fetch`, or the one of a dispatcher that was handed in. Another HTTP client publishes nothing there, so
 * nothing follows from an event that did not come.
 */
export class RequestOnWire {
  readonly #method: string
  readonly #path: string
  readonly #sockets: KnownSockets
  #onWritten: (() => void) | undefined
  #socket: Socket | undefined
  /** Whether it hears when the request is written. */
  isExpected = false
  isWritten = false
  hasEnded = false

  constructor(method: string, path: string, sockets: KnownSockets, onWritten?: () => void) {
    this.#method = method
    this.#path = path
    this.#sockets = sockets
    this.#onWritten = onWritten
    listen()
  }

  /** Runs the fetch that makes the request, and listens for it. */
  run(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Response> {
    return current.run(this, fetch, url, init)
  }

  /** The request is about to be written, within this turn. A pool makes it elsewhere when it had to wait. */
  starts(): void {
    starting = this
    queueMicrotask(() => {
      if (starting === this) starting = undefined
    })
  }

  /** Whether undici's request is this one: a fetch that was handed in may make requests of its own. */
  is(request: object): boolean {
    return Reflect.get(request, 'method') === this.#method && Reflect.get(request, 'path') === this.#path
  }

  written(socket: Socket): void {
    this.isWritten = true
    // Streams of one HTTP/2 connection can't be mixed up, and share it.
    if (!('alpnProtocol' in socket && socket.alpnProtocol === 'h2')) {
      this.#socket = socket
      this.#sockets.add(socket)
    }
    this.#onWritten?.()
  }

  /** Ends the connection that the request went out on, unless it is another's by now. */
  discard(): void {
    const socket = this.#socket
    if (socket !== undefined && lastOn.get(socket) === this) socket.destroy()
  }

  /** Connections live longer than the request that they were made for, and hold what it held. */
  end(): void {
    this.hasEnded = true
    this.#onWritten = undefined
  }
}

export function isConnectError(error: object): boolean {
  return connectErrors.has(error)
}

function listen(): void {
  if (isListening) return
  isListening = true
  subscribe('undici:request:create', (message) => {
    const request = member(message, 'request')
    const made = current.getStore()
    if (request === undefined || made?.is(request) !== true) return
    ofRequest.set(request, made)
    made.isExpected = true
  })
  subscribe('undici:client:sendHeaders', (message) => {
    const request = member(message, 'request')
    const socket = member(message, 'socket')
    if (request === undefined || !(socket instanceof Socket)) return
    const written = ofRequest.get(request) ?? (starting?.is(request) === true ? starting : undefined)
    starting = undefined
    lastOn.set(socket, written)
    written?.written(socket)
  })
  subscribe('undici:client:connectError', (message) => {
    const error = member(message, 'error')
    if (error !== undefined) connectErrors.add(error)
  })
}

function member(message: unknown, name: string): object | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const value: unknown = Reflect.get(message, name)
  return typeof value === 'object' && value !== null ? value : undefined
}
