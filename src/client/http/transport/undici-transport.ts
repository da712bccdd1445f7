import type { Dispatcher } from 'undici'
import { Connections } from './connections.js'
import { DispatcherConnections } from './dispatcher-connections.js'
import { connectLater } from './lazy-transport.js'
import type { Transport } from './transport.js'
import { UndiciRequest } from './undici-request.js'

export interface UndiciTransportOptions {
  readonly origin: string
  readonly maxResponseBytes: number
  /** The client's limit of an attempt: no connection may take longer. */
  readonly timeoutMs: number
  /** How many connections there may be; a request that finds none waits, within its own time. */
  readonly maxConnections: number
  /** The caller's own, for a proxy or a client certificate. It is not closed here. */
  readonly dispatcher: Dispatcher | undefined
  /** In place of those that it would open. */
  readonly connections?: Connections
}

/**
 * The default transport: keep-alive connections, and undici's `dispatch`. Below its `request`, because
 * only `dispatch` says when a request starts to be written, and with it whether an attempt that failed
 * may have arrived; and because it reads a small JSON body without a stream.
 */
export function undiciTransport(options: UndiciTransportOptions): Transport {
  const { origin, maxResponseBytes, timeoutMs, maxConnections, dispatcher } = options
  const given = dispatcher && new DispatcherConnections(dispatcher)
  let { connections } = options
  let opening = connections && Promise.resolve(connections)
  const load = () => {
    // By its file: Bun has a module of its own under the bare name, which can't dispatch.
    opening ??= import('undici/index.js').then(({ Client, buildConnector }) => {
      connections = new Connections({
        origin,
        connect: buildConnector({ timeout: Math.min(longestConnectMs, timeoutMs) }),
        // Time limits are ours: they bound the whole attempt, which undici's two do not.
        open: (connect) => new Client(origin, { headersTimeout: 0, bodyTimeout: 0, connect }),
        most: maxConnections,
      })
      return connections
    })
    return opening
  }
  return {
    connect() {
      if (given !== undefined) return given.connect()
      if (connections !== undefined) return connections.connect()
      return connectLater(
        load().catch(() => {
          opening = undefined
          return undefined
        }),
      )
    },
    send(request) {
      return new Promise((resolve) => {
        const { signal } = request
        // It has fired, so no event will come.
        if (signal?.aborted === true) {
          resolve({ kind: 'aborted', sent: false, cause: signal.reason })
          return
        }
        const sending = new UndiciRequest(request, { origin, maxResponseBytes, resolve })
        if (given !== undefined) sending.use(given.next(sending.wantsFresh))
        else if (connections !== undefined) sending.takeFrom(connections)
        else {
          load().then(
            (loaded) => sending.takeFrom(loaded),
            (cause) => {
              opening = undefined
              sending.onUnloadable(cause)
            },
          )
        }
      })
    },
    async close() {
      // Whatever is still open has been given up by everybody.
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}

const longestConnectMs = 10_000
