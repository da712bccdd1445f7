import { Socket } from 'node:net'
import type { buildConnector, Client, Dispatcher } from 'undici'
import type { SpareSockets } from './spare-sockets.js'

/** What undici tells of a request, and whether the request may still begin. */
export interface RequestHandler extends Dispatcher.DispatchHandler {
  mayBegin(): boolean
  /** It might not, and nothing was written. */
  onTooLate(): void
}

/** One request at a time goes over it. */
export interface UsableConnection {
  dispatch(options: Dispatcher.DispatchOptions, handler: RequestHandler): void
  /** Called when the request is about to be written. */
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

export interface ConnectionOptions {
  readonly connect: buildConnector.connector
  readonly open: (connect: buildConnector.connector) => Client
}

interface ConnectionEnds {
  readonly onFree: () => void
  readonly onEnd: () => void
}

/** One keep-alive connection: an undici client of its own, since a pool doesn't say which of its connections an answer came on. */
export class Connection implements UsableConnection {
  readonly #client: Client
  readonly #ends: ConnectionEnds
  /** While the connection is being made. */
  #making: Socket | undefined
  #socket: Socket | undefined
  #handler: RequestHandler | undefined
  #ended = false
  inUse = true
  started = ignore

  constructor({ connect, open }: ConnectionOptions, spares: SpareSockets, ends: ConnectionEnds) {
    this.#ends = ends
    this.#client = open((options, callback) => {
      const spare = spares.take()
      if (spare !== undefined) {
        this.#adopt(spare)
        // undici is not through with asking for it.
        queueMicrotask(() => callback(null, spare))
        return
      }
      const making: unknown = connect(options, (...result) => {
        this.#making = undefined
        const [, socket] = result
        if (socket instanceof Socket && this.#handler?.mayBegin() === false) {
          // It took longer than the permit is good for: whoever has the next one finds it open.
          spares.add(socket)
          this.#handler.onTooLate()
          callback(new Error('the permit is no longer good'), null)
          return
        }
        if (socket instanceof Socket) this.#adopt(socket)
        callback(...result)
      })
      if (making instanceof Socket) this.#making = making
    })
    // Where a request waits to be written, undici makes the connection anew.
    this.#client.on('disconnect', () => {
      if (!this.inUse) void this.destroy()
    })
  }

  #adopt(socket: Socket): void {
    this.#socket = socket
    this.started = skipInterim(socket)
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: RequestHandler): void {
    this.#handler = handler
    this.#client.dispatch(options, handler)
  }

  release(): void {
    if (this.#ended || !this.inUse) return
    this.inUse = false
    this.#handler = undefined
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

/**
 * Takes every interim answer (1xx) off the start of an answer. None needs asking for (RFC 9110, section 15.2),
 * and undici takes a `100 Continue` for the end of the connection, wherever it stands among others, which
 * would leave every create in doubt behind a proxy that sends it.
 *
 * @returns what to call when a request is being written: what comes from then on is its answer.
 */
function skipInterim(socket: Socket): () => void {
  const read = socket.read.bind(socket)
  let atStart = false
  let held: Buffer | undefined
  socket.read = (size?: number) => {
    for (;;) {
      const chunk: Buffer | null = read(size)
      if (!atStart || chunk === null) return chunk
      held = held === undefined ? chunk : Buffer.concat([held, chunk])
      const left = withoutInterim(held)
      held = left.bytes
      if (left.decided) {
        atStart = false
        held = undefined
        return left.bytes
      }
    }
  }
  return () => {
    atStart = true
    held = undefined
  }
}

/** No head of an interim answer is longer; what is, undici may judge. */
const longestHead = 16_384
const begins = 'HTTP/1.1 1'
/** 101 is none: it hands the connection over. */
const interim = /^HTTP\/1\.1 1(?!01)\d\d[ \r]$/
const statusLength = 'HTTP/1.1 100 '.length

/** What is left of the start of an answer; not decided while it may still be, or lead to, an interim one. */
function withoutInterim(bytes: Buffer): { readonly bytes: Buffer; readonly decided: boolean } {
  let rest = bytes
  for (;;) {
    const start = rest.toString('latin1', 0, statusLength).replace('/1.0', '/1.1')
    if (start.length < statusLength) {
      return { bytes: rest, decided: !begins.startsWith(start.slice(0, begins.length)) }
    }
    if (!interim.test(start)) return { bytes: rest, decided: true }
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return { bytes: rest, decided: rest.length > longestHead }
    rest = rest.subarray(end + 4)
  }
}

function ignore(): void {}
