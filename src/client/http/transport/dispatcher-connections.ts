import type { Dispatcher } from 'undici'
import { neverConnected } from './connect-errors.js'
import type { UsableConnection } from './connection.js'
import type { ConnectionSource, ConnectionUser } from './connections.js'
import type { Connecting } from './transport.js'
import { KnownSockets, UndiciDiagnostics } from './undici-diagnostics.js'

/** Codes by which undici refuses a request that it has not begun. */
const refusedCodes = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])

/** Where the requests over a dispatcher that was handed in go, with connections that nobody here can see. */
export class DispatcherConnections implements ConnectionSource {
  readonly #dispatcher: Dispatcher
  readonly #sockets = new KnownSockets()
  #inUse = 0
  #isFreed = false

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher
  }

  /**
   * undici's pools have a connection back a turn of the event loop after its answer. Whoever asks for one in that turn,
   * as a create does when its token has come, would be given a new one, with a handshake of its own.
   */
  readonly connect = (): Connecting | undefined => {
    // Where others are under way, connections are not what is short.
    if (!this.#isFreed || this.#inUse > 0) return undefined
    this.#isFreed = false
    return { done: new Promise((resolve) => setImmediate(resolve)), giveUp() {} }
  }

  take(user: ConnectionUser): void {
    this.#inUse++
    if (user.wantsFresh) this.#sockets.endIdle()
    const onEnd = () => {
      this.#inUse--
      this.#isFreed = true
    }
    user.use(new DispatcherConnection(this.#dispatcher, this.#sockets, onEnd))
  }

  /** The dispatcher has its own queue, where nobody can leave. */
  leave(): void {}

  /** It is its owner's to close. */
  close(): Promise<void> {
    return Promise.resolve()
  }
}

class DispatcherConnection implements UsableConnection {
  readonly #dispatcher: Dispatcher
  readonly #sockets: KnownSockets
  readonly #onEnd: () => void
  #diagnostics: UndiciDiagnostics | undefined

  constructor(dispatcher: Dispatcher, sockets: KnownSockets, onEnd: () => void) {
    this.#dispatcher = dispatcher
    this.#sockets = sockets
    this.#onEnd = onEnd
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const diagnostics = new UndiciDiagnostics(options.method, options.path, this.#sockets, () => undefined)
    this.#diagnostics = diagnostics
    // It may have interceptors that write into the headers.
    const headers = { ...options.headers }
    this.#dispatcher.dispatch({ ...options, headers }, handler)
  }

  started(): void {
    this.#diagnostics?.starts()
  }

  release(): void {
    this.#diagnostics?.end()
    this.#onEnd()
  }

  distrust(): void {
    this.#diagnostics?.distrust()
  }

  destroy(): void {
    this.#onEnd()
  }

  /** A mock, or an interceptor, may fail what it had begun without a word of the beginning. */
  mayHaveSent(cause: unknown): boolean {
    return !neverConnected(cause) && !wasRefused(cause)
  }
}

function wasRefused(cause: unknown): boolean {
  return (
    cause instanceof Error &&
    'code' in cause &&
    typeof cause.code === 'string' &&
    refusedCodes.has(cause.code)
  )
}
