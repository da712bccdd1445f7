import type { Observer } from '../observe/observer.js'
import type { PermitQueue } from './limit/queue.js'
import type { RequestHeaders } from './request-headers.js'
import type { Transport } from './transport/transport.js'

/** What every request of a client goes through. */
export interface HttpParts {
  readonly transport: Transport
  readonly permits: PermitQueue
  readonly headers: RequestHeaders
  readonly observer: Observer
  readonly basePath: string
  /** Fires when the client is closed. */
  readonly closing: AbortSignal
  /** The wall clock. */
  readonly now: () => number
}
