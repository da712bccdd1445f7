import type { CallbackReply, CallbackRequest, DeliverCallback } from './delivery.js'

/** How one attempt goes out. */
export interface CourierSettings {
  readonly deliver: DeliverCallback
  readonly timeoutMs: number
  /** Whether a URL leads to the sandbox itself. */
  readonly isOwn: (url: string) => boolean
}

/** Carries callbacks to merchants: one attempt each, within a time. */
export class Courier {
  readonly #settings: CourierSettings
  readonly #aborts = new Set<AbortController>()

  constructor(settings: CourierSettings) {
    this.#settings = settings
  }

  async carry(request: Omit<CallbackRequest, 'signal'>): Promise<CallbackReply> {
    const { deliver, timeoutMs, isOwn } = this.#settings
    // The sandbox's page sends callbacks on request, and each callback to it would be such a request.
    if (isOwn(request.url)) throw new Error('Not sent: the callbackUrl is the sandbox itself.')
    const abort = new AbortController()
    const timeout = setTimeout(() => abort.abort(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs)
    timeout.unref()
    this.#aborts.add(abort)
    try {
      // Raced, because the option `deliver` may be a function that ignores its signal.
      const gaveUp = new Promise<never>((_resolve, reject) => {
        abort.signal.addEventListener('abort', () => reject(abort.signal.reason), { once: true })
      })
      const sent = deliver({ ...request, signal: abort.signal })
      return await Promise.race([sent, gaveUp])
    } finally {
      clearTimeout(timeout)
      this.#aborts.delete(abort)
    }
  }

  /** Ends the attempts that are under way. */
  abort(reason: unknown): void {
    for (const abort of this.#aborts) abort.abort(reason)
  }
}
