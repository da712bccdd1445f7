import type { Dispatcher } from 'undici'
import type { UsableConnection } from './connection.js'
import { neverConnected } from './never-connected.js'
import { UndiciDiagnostics } from './undici-diagnostics.js'

/** Codes by which undici refuses a request that it has not begun. */
const refusedCodes = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_CLOSED', 'UND_ERR_DESTROYED'])

/** A request over a dispatcher that was handed in, with connections that nobody here can see. */
export class DispatcherConnection implements UsableConnection {
  readonly #dispatcher: Dispatcher
  #diagnostics: UndiciDiagnostics | undefined

  constructor(dispatcher: Dispatcher) {
    this.#dispatcher = dispatcher
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    const diagnostics = new UndiciDiagnostics(options.method, options.path, () => undefined)
    this.#diagnostics = diagnostics
    // It may have interceptors that write into the headers.
    const headers = { ...options.headers }
    this.#dispatcher.dispatch({ ...options, headers }, handler)
  }

  started(): void {
    this.#diagnostics?.starts()
  }

  release(): void {}

  distrust(): void {
    this.#diagnostics?.distrust()
  }

  destroy(): void {}

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
