import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'

/**
 * One of our requests, of which undici tells by its diagnostics channels, whoever's undici it is: Node's own under `fetch`,
 * or that of a dispatcher. Another HTTP client publishes nothing there, so nothing follows from an event that did not come.
 *
 * Connections outlive the request that they were made for, and keep this of the last one.
 */
export interface OnWire {
  readonly method: string
  readonly path: string
  readonly owner: object
  onWritten?: (() => void) | undefined
  /** Whether undici will tell when it is written. */
  isExpected?: boolean
  socket?: Socket
  hasEnded?: boolean
}

const current = new AsyncLocalStorage<OnWire>()
const ofRequest = new WeakMap<object, OnWire>()
/** The open connections that requests of ours went out on, and which of ours was the last; none where it was another's. */
const lastOn = new Map<Socket, OnWire | undefined>()
const connectErrors = new WeakSet<object>()
let starting: OnWire | undefined

/** A dispatcher writes the request next. A pool makes it in another context when it had to wait. */
export function starts(request: OnWire): void {
  starting = request
}

export function runFetch(request: OnWire, fetch: typeof globalThis.fetch, url: string, init: RequestInit) {
  return current.run(request, fetch, url, init)
}

export function discard(request: OnWire): void {
  const { socket } = request
  if (socket !== undefined && lastOn.get(socket) === request) socket.destroy()
}

/** Ends the connections whose last request was this transport's and has ended: what comes next goes out on another one. */
export function endIdle(owner: object): void {
  for (const [socket, last] of lastOn) if (last?.owner === owner && last.hasEnded === true) socket.destroy()
}

export function isConnectError(error: object): boolean {
  return connectErrors.has(error)
}

const heard = new Set<string>()

/** A listener runs for every request of the process: the one for `fetch` is only there where a client has one. */
export function listen(isFetch: boolean): void {
  hear('undici:client:sendHeaders', onWriting)
  hear('undici:client:connectError', (message) => {
    const error = member(message, 'error')
    if (error !== undefined) connectErrors.add(error)
  })
  if (isFetch) hear('undici:request:create', onCreated)
}

function hear(name: string, listener: (message: unknown) => void): void {
  if (heard.has(name)) return
  heard.add(name)
  subscribe(name, listener)
}

function onCreated(message: unknown): void {
  const request = member(message, 'request')
  const made = current.getStore()
  if (request === undefined || made === undefined || !isOf(made, request)) return
  ofRequest.set(request, made)
  made.isExpected = true
}

function onWriting(message: unknown): void {
  const request = member(message, 'request')
  const socket = member(message, 'socket')
  if (request === undefined || !(socket instanceof Socket)) return
  const written =
    ofRequest.get(request) ?? (starting !== undefined && isOf(starting, request) ? starting : undefined)
  starting = undefined
  // Streams of one HTTP/2 connection can't be mixed up, and share it.
  const isShared = 'alpnProtocol' in socket && socket.alpnProtocol === 'h2'
  const isKnown = lastOn.has(socket)
  if (!isShared && (isKnown || written !== undefined)) {
    if (!isKnown) socket.once('close', () => lastOn.delete(socket))
    lastOn.set(socket, written)
  }
  if (written === undefined) return
  written.socket = socket
  written.onWritten?.()
}

/** Whether undici's request is this one: a fetch that was handed in may make requests of its own. */
function isOf({ method, path }: OnWire, request: object): boolean {
  return Reflect.get(request, 'method') === method && Reflect.get(request, 'path') === path
}

function member(message: unknown, name: string): object | undefined {
  if (typeof message !== 'object' || message === null) return undefined
  const value: unknown = Reflect.get(message, name)
  return typeof value === 'object' && value !== null ? value : undefined
}
