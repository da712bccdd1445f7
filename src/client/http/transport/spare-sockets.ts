import { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import type { Connecting } from './transport.js'

/** As long as undici keeps a connection that nobody uses. */
const longestIdleMs = 4_000

/**
 * Open connections on which nothing was written yet: made before there was a permit, or too slowly for the one
 * that there was. They keep no process alive, and end by themselves.
 */
export class SpareSockets {
  readonly #sockets = new Map<Socket, NodeJS.Timeout>()

  get size(): number {
    return this.#sockets.size
  }

  add(socket: Socket): void {
    if (socket.destroyed) return
    const timer = setTimeout(() => socket.destroy(), longestIdleMs)
    this.#sockets.set(socket.unref(), timer.unref())
    socket.once('close', this.#forget)
    socket.once('error', ignore)
  }

  /** The one that was opened last; it is the caller's from now on. */
  take(): Socket | undefined {
    const socket = [...this.#sockets.keys()].at(-1)
    if (socket === undefined) return undefined
    this.#remove(socket)
    return socket.ref()
  }

  destroy(): void {
    for (const socket of this.#sockets.keys()) {
      this.#remove(socket)
      // What comes of it is nobody's matter any more.
      socket.once('error', ignore).destroy()
    }
  }

  readonly #forget = (): void => {
    for (const socket of this.#sockets.keys()) if (socket.destroyed) this.#remove(socket)
  }

  #remove(socket: Socket): void {
    clearTimeout(this.#sockets.get(socket))
    this.#sockets.delete(socket)
    socket.off('close', this.#forget).off('error', ignore)
  }
}

/** Opens a connection on which nothing is written, and hands it over. */
export function openSocket(
  { origin, connect }: { readonly origin: string; readonly connect: buildConnector.connector },
  onOpen: (socket: Socket) => void,
): Connecting {
  const { protocol, host, hostname, port } = new URL(origin)
  const target = { protocol, host, hostname: hostname.replace(/^\[|\]$/g, ''), port }
  let isGivenUp = false
  let connecting: unknown
  const done = new Promise<void>((resolve) => {
    connecting = connect(target, (...[, socket]) => {
      if (socket instanceof Socket) {
        if (isGivenUp) socket.destroy()
        else onOpen(socket)
      }
      connecting = undefined
      resolve()
    })
  })
  return {
    done,
    giveUp() {
      isGivenUp = true
      // With an error: without one undici's connector never calls back.
      if (connecting instanceof Socket) connecting.destroy(new Error('nobody waits for it'))
    },
  }
}

function ignore(): void {}
