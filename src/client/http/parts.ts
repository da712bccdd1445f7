import type { Observer } from '../observe/observer.js'
import type { Closing } from './abortable-wait.js'
import type { PermitQueue } from './limit/queue.js'
import type { Transport } from './transport/transport.js'

/** What every request of a client goes through. */
export interface HttpParts {
  readonly transport: Transport
  readonly permits: PermitQueue
  /** The headers of every request; the same object for as long as the token is the same. */
  readonly headers: {
    get(token: string | undefined, withBody: boolean): Readonly<Record<string, string>>
  }
  readonly observer: Observer
  readonly basePath: string
  /** Fires when the client is closed. */
  readonly closing: Closing
  /** The wall clock. */
  readonly now: () => number
}
