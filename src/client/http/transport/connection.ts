import { Socket } from 'node:net'
import type { buildConnector, Client, Dispatcher } from 'undici'
import { skipInterim } from './skip-interim.js'
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
  #begin: (() => void) | undefined
  #handler: RequestHandler | undefined
  #ended = false
  inUse = true

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
    this.#begin = skipInterim(socket)
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: RequestHandler): void {
    this.#handler = handler
    this.#client.dispatch(options, handler)
  }

  started(): void {
    this.#begin?.()
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
