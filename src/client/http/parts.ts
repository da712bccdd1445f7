import type { Observer } from '../observe/observer.js'
import type { Closing } from './closing.js'
import type { KnownSecrets } from './known-secrets.js'
import type { PermitQueue } from './limit/queue.js'
import type { RequestHeaders } from './request-headers.js'
import type { Transport } from './transport/transport.js'

/** What every request of a client goes through. */
export interface HttpParts {
  readonly transport: Transport
  readonly permits: PermitQueue
  readonly headers: RequestHeaders
  readonly known: KnownSecrets
  /** The text of the client's key, as a failure must not show it. */
  readonly keyTexts: () => readonly string[]
  readonly observer: Observer
  readonly basePath: string
  readonly underWay: UnderWay
  /** Fires when the client is closed. */
  readonly closing: Closing
  /** The wall clock. */
  readonly now: () => number
}

/** How many requests are on their way, so that a client can be closed when the last of them has ended. */
export class UnderWay {
  #count = 0
  #onIdle: (() => void) | undefined

  begin(): void {
    this.#count++
  }

  end(): void {
    this.#count--
    if (this.#count === 0) this.#onIdle?.()
  }

  /** Resolves when none is. */
  async idle(): Promise<void> {
    if (this.#count === 0) return
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve
    })
  }
}
