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
 * Remembers what the merchant's function has dealt with. In memory by default; hand in your own over
 * a database or Redis to share it between processes. It saves calls and status requests, and nothing relies on it: what
 * is forgotten is delivered again.
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
   * @param key names one payment, as for `get`.
   */
  set(key: string, delivered: DeliveredStatus): Promise<void> | void
  /**
   * A number for this payment, larger than all that were given for it before, to whatever process. With it a process
   * knows whether another one has asked since a callback arrived, and saves its own status request. Optional; where it can't be
   * kept, what `set` has kept of the payment must be forgotten too.
   *
   * @param key names one payment, as for `get`.
   */
  count?(key: string): Promise<number> | number
  /**
   * Claims the next status request for this payment, unless another process has claimed it and its time is not over:
   * then the others wait for what it finds. Optional; a claim that is lost costs a status request.
   *
   * @param key names one payment, as for `get`.
   * @param number of the status request, from `count`.
   * @param forMs how long the claim lasts, in milliseconds; 0 ends the claim of this number.
   * @returns the number of the status request that has the claim now.
   */
  claim?(key: string, number: number, forMs: number): Promise<number> | number
}

interface Verdict {
  /** Whether the merchant's function is called. */
  readonly isCalled: boolean
  /** Whether the status differs from the one it was called with last. */
  readonly isNew: boolean
}

/**
 * A final status is delivered once, and what comes after it as well, be it final or not. A status that is not final
 * is delivered at each callback, since only the merchant knows what it means.
 */
export function judge(last: DeliveredStatus | undefined, now: DeliveredStatus): Verdict {
  const isNew = last === undefined || saysOther(last, now)
  return { isCalled: isNew || !now.final, isNew }
}

/**
 * Whether another process may have asked later than this one: something else has been dealt with since just before
 * the status request. Which of the two requests is the older one, nobody knows.
 */
export function isOvertaken(
  previous: DeliveredStatus | undefined,
  last: DeliveredStatus | undefined,
  now: DeliveredStatus,
): boolean {
  if (last === undefined || !saysOther(last, now)) return false
  return previous === undefined || saysOther(previous, last) || previous.requestNumber !== last.requestNumber
}

function saysOther(one: DeliveredStatus, other: DeliveredStatus): boolean {
  return one.status !== other.status || one.final !== other.final
}

const mostRemembered = 10_000

/** Keeps the newest ten thousand. */
export function keepNewest<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > mostRemembered && oldest !== undefined) kept.delete(oldest)
}

/**
 * The newest ten thousand payments, in this process.
 *
 * @example
 * const callbacks = new CallbackReceiver({ client, publicUrl, onPayin, dedupe: new MemoryDedupeStore() })
 */
export class MemoryDedupeStore implements DedupeStore {
  readonly #delivered = new Map<string, DeliveredStatus>()

  /** What was set last; undefined where nothing was, or where it was forgotten. */
  get(key: string): DeliveredStatus | undefined {
    return this.#delivered.get(key)
  }

  /** Keeps what was dealt with, and forgets the oldest when there are too many. */
  set(key: string, delivered: DeliveredStatus): void {
    keepNewest(this.#delivered, key, delivered)
  }
}
