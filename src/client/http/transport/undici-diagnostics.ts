import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'

/** Within which of our requests a `fetch` runs. */
const current = new AsyncLocalStorage<RequestOnWire>()
const ofRequest = new WeakMap<object, RequestOnWire>()
/** The open connections that requests of ours went out on, and which of ours was the last; none where it was another's. */
const lastOn = new Map<Socket, RequestOnWire | undefined>()
const connectErrors = new WeakSet<object>()
/** The one of our requests that a dispatcher is about to write. */
let starting: RequestOnWire | undefined
let isListening = false

/**
 * What undici publishes of one request on its diagnostics channels, whoever's undici it is: Node's own under
 * `fetch`, or the one of a dispatcher that was handed in. Another HTTP client publishes nothing there, so
 * nothing follows from an event that did not come.
 */
export class RequestOnWire {
  readonly #method: string
  readonly #path: string
  #onWritten: (() => void) | undefined
  /** The transport that makes it. */
  readonly owner: object
  #socket: Socket | undefined
  /** Whether it hears when the request is written. */
  isExpected = false
  hasEnded = false

  constructor(method: string, path: string, owner: object, onWritten?: () => void) {
    this.#method = method
    this.#path = path
    this.#onWritten = onWritten
    this.owner = owner
    if (!isListening) listen()
  }

  get isWritten(): boolean {
    return this.#socket !== undefined
  }

  /** Runs the fetch that makes the request, and listens for it. */
  run(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<Response> {
    return current.run(this, fetch, url, init)
  }

  /** A dispatcher writes the request next. A pool makes it in another context when it had to wait. */
  starts(): void {
    starting = this
  }

  /** Whether undici's request is this one: a fetch that was handed in may make requests of its own. */
  is(request: object): boolean {
    return Reflect.get(request, 'method') === this.#method && Reflect.get(request, 'path') === this.#path
  }

  written(socket: Socket): void {
    this.#socket = socket
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

/** Ends the connections whose last request was this transport's and has ended: what comes next goes out on another one. */
export function endIdle(owner: object): void {
  for (const [socket, last] of lastOn) if (last?.owner === owner && last.hasEnded) socket.destroy()
}

export function isConnectError(error: object): boolean {
  return connectErrors.has(error)
}

function listen(): void {
  isListening = true
  subscribe('undici:request:create', (message) => {
    const made = current.getStore()
    if (made === undefined) return
    const request = member(message, 'request')
    if (request === undefined || !made.is(request)) return
    ofRequest.set(request, made)
    made.isExpected = true
  })
  subscribe('undici:client:sendHeaders', (message) => {
    const request = member(message, 'request')
    const socket = member(message, 'socket')
    if (request === undefined || !(socket instanceof Socket)) return
    const written = ofRequest.get(request) ?? (starting?.is(request) === true ? starting : undefined)
    starting = undefined
    keep(socket, written)
    written?.written(socket)
  })
  subscribe('undici:client:connectError', (message) => {
    const error = member(message, 'error')
    if (error !== undefined) connectErrors.add(error)
  })
}

function keep(socket: Socket, last: RequestOnWire | undefined): void {
  // Streams of one HTTP/2 connection can't be mixed up, and share it.
  if ('alpnProtocol' in socket && socket.alpnProtocol === 'h2') return
  const isKnown = lastOn.has(socket)
  if (!isKnown && last === undefined) return
  if (!isKnown) socket.once('close', () => lastOn.delete(socket))
  lastOn.set(socket, last)
}

function member(message: unknown, name: string): object | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const value: unknown = Reflect.get(message, name)
  return typeof value === 'object' && value !== null ? value : undefined
}
