import type { PaymentStatus } from '../index.js'

/** The last status of a payment that the merchant's function has dealt with. */
export interface DeliveredStatus {
  /** Undefined where the payment shows none. */
  readonly status: PaymentStatus | undefined
  /** Whether the payment was final then, by the client's `statuses`. */
  readonly final: boolean
  /** The number of the status request that showed it, from the store's `count`; absent where the store has none. */
  readonly requestNumber?: number
}

/**
 * Remembers what your functions have dealt with: in memory, or in a store that processes share. What it forgets is
 * delivered again.
 */
export interface DedupeStore {
  /**
   * What was dealt with last.
   *
   * @param key names one payment of one merchant at one gateway: `client.account`, then for example `:payin:ORDER-1`.
   * @returns what was set last; undefined or null where nothing was.
   */
  get(key: string): Promise<DeliveredStatus | null | undefined> | DeliveredStatus | null | undefined
  /**
   * Keeps what was dealt with, in place of what was set before.
   *
   * @param key as for `get`.
   * @param delivered the status, and whether it was final.
   */
  set(key: string, delivered: DeliveredStatus): Promise<void> | void
  /**
   * A number for this payment, larger than all before it in all processes: a process sees by it that another one has
   * requested the status since a callback arrived. Optional; it is forgotten together with what `set` has kept.
   *
   * @param key as for `get`.
   */
  count?(key: string): Promise<number> | number
  /**
   * Claims the next status request for this payment, unless another process has: then this one waits for what that one
   * finds. Optional; a claim that is lost costs a status request.
   *
   * @param key as for `get`.
   * @param number of the status request, from `count`.
   * @param forMs how long the claim lasts, in milliseconds; 0 ends the claim of this number.
   * @returns the number of the status request that has the claim now.
   */
  claim?(key: string, number: number, forMs: number): Promise<number> | number
}

const mostRemembered = 10_000

/** Of the newest ten thousand payments. */
export class Newest<T> {
  readonly #kept = new Map<string, T>()

  get(key: string): T | undefined {
    return this.#kept.get(key)
  }

  set(key: string, value: T): void {
    this.#kept.delete(key)
    this.#kept.set(key, value)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > mostRemembered && oldest !== undefined) this.#kept.delete(oldest)
  }
}

/**
 * The newest ten thousand payments, in this process.
 *
 * @example
 * const callbacks = new CallbackReceiver({ client, publicUrl, onPayin, dedupe: new MemoryDedupeStore() })
 */
export class MemoryDedupeStore implements DedupeStore {
  readonly #delivered = new Newest<DeliveredStatus>()

  /** What was set last; undefined where nothing was, or where it was forgotten. */
  get(key: string): DeliveredStatus | undefined {
    return this.#delivered.get(key)
  }

  /** Keeps what was dealt with, and forgets the oldest when there are too many. */
  set(key: string, delivered: DeliveredStatus): void {
    this.#delivered.set(key, delivered)
  }
}
