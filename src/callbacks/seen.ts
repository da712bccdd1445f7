import type { PaymentStatus } from '../index.js'

/** The last status of a payment that the merchant's function has dealt with. */
export interface SeenStatus {
  /** Undefined where the payment shows none. */
  readonly status: PaymentStatus | undefined
  /** Whether the payment was final then, by the client's `isFinal`. */
  readonly final: boolean
}

/**
 * Remembers what the merchant's function has dealt with. In memory by default; hand in your own over
 * a database or Redis to share it between processes. It saves calls, and nothing relies on it: what
 * is forgotten is delivered again.
 */
export interface SeenStore {
  /**
   * What was dealt with last.
   *
   * @param key names one payment, for example `payin:ORDER-1`.
   * @returns what was set last; undefined or null where nothing was.
   */
  get(key: string): Promise<SeenStatus | null | undefined> | SeenStatus | null | undefined
  /**
   * Keeps what was dealt with, in place of what was set before.
   *
   * @param key names one payment, as for `get`.
   */
  set(key: string, seen: SeenStatus): Promise<void> | void
}

/** What to do with a payment that was looked up. */
export interface SeenVerdict {
  /** Whether the merchant's function is called. */
  readonly call: boolean
  /** Whether the status differs from the one it was called with last. */
  readonly news: boolean
}

/**
 * A final status is delivered once; the same again, or an older state that arrives late, is not. A
 * status that is not final is delivered at each callback, since only the merchant knows what it means.
 */
export function judge(last: SeenStatus | undefined, now: SeenStatus): SeenVerdict {
  const news = last === undefined || last.status !== now.status || last.final !== now.final
  if (last?.final === true) return { call: now.final && news, news: now.final && news }
  return { call: true, news }
}

const mostRemembered = 10_000

/**
 * The newest ten thousand payments, in this process.
 *
 * @example
 * const callbacks = new CallbackReceiver({ client, publicUrl, onPayin, seen: new MemorySeenStore() })
 */
export class MemorySeenStore implements SeenStore {
  readonly #seen = new Map<string, SeenStatus>()

  /** What was set last; undefined where nothing was, or where it was forgotten. */
  get(key: string): SeenStatus | undefined {
    return this.#seen.get(key)
  }

  /** Keeps what was dealt with, and forgets the oldest when there are too many. */
  set(key: string, seen: SeenStatus): void {
    this.#seen.delete(key)
    this.#seen.set(key, seen)
    for (const oldest of this.#seen.keys()) {
      if (this.#seen.size <= mostRemembered) return
      this.#seen.delete(oldest)
    }
  }
}
