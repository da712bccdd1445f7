import { within } from '../client/input/wait.js'
import { TimeoutError } from '../index.js'
import type { DedupeStore, DeliveredStatus } from './dedupe.js'
import { keyOf } from './payment-ref.js'
import type { CallbackTarget } from './signed-path.js'

/** For so many times its limit, a store that did not answer in time is not asked again. */
const restTimes = 10

export interface BoundedDedupeParts {
  readonly store: DedupeStore
  /** Names merchant and gateway: several may share the store, and use the same ids. */
  readonly account: string
  readonly timeoutMs: number
  readonly onError: (error: unknown, target: CallbackTarget) => void
}

export interface Previous {
  readonly delivered: DeliveredStatus | undefined
  /** The number of the status request that begins now. */
  readonly requestNumber: number | undefined
}

/**
 * The merchant's store, for a limited time. It may throw, reject, hang, or answer late: then it is as good as one that
 * knows nothing, and the callback is dealt with as new. No method rejects; undefined says that there was no response.
 */
export class BoundedDedupe {
  readonly #parts: BoundedDedupeParts
  #restsUntil = Number.NEGATIVE_INFINITY

  constructor(parts: BoundedDedupeParts) {
    this.#parts = parts
  }

  previous(target: CallbackTarget): Promise<Previous | undefined> {
    return this.#ask(target, async (store, key) => {
      const [delivered, requestNumber] = await Promise.all([store.get(key), store.count?.(key)])
      return { delivered: delivered ? believed(delivered, requestNumber) : undefined, requestNumber }
    })
  }

  async get(target: CallbackTarget): Promise<DeliveredStatus | undefined> {
    return (await this.#ask(target, (store, key) => store.get(key))) ?? undefined
  }

  /** A number below that of each status request that begins after this; undefined where the store doesn't count. */
  count(target: CallbackTarget): Promise<number | undefined> {
    return this.#ask(target, (store, key) => store.count?.(key))
  }

  /** Whose status request it is from now on, by its number; undefined where the store knows no claims. */
  claim(target: CallbackTarget, number: number, forMs: number): Promise<number | undefined> {
    return this.#ask(target, (store, key) => store.claim?.(key, number, forMs))
  }

  async set(target: CallbackTarget, delivered: DeliveredStatus): Promise<void> {
    await this.#ask(target, (store, key) => store.set(key, delivered))
  }

  async #ask<T>(
    target: CallbackTarget,
    use: (store: DedupeStore, key: string) => T | PromiseLike<T>,
  ): Promise<T | undefined> {
    const { store, account, timeoutMs, onError } = this.#parts
    if (performance.now() < this.#restsUntil) return undefined
    const late = () => {
      this.#restsUntil = performance.now() + restTimes * timeoutMs
      return new TimeoutError(
        `the dedupe store did not answer within dedupeTimeoutMs (${timeoutMs} ms); callbacks are dealt with as new, so your function may be called again with what it knows: see why the store is slow.`,
      )
    }
    try {
      return await within(timeoutMs, late, async () => {
        const found = await use(store, `${account}:${keyOf(target)}`)
        // One that answers, though late, is back.
        this.#restsUntil = Number.NEGATIVE_INFINITY
        return found
      })
    } catch (error) {
      onError(error, target)
      return undefined
    }
  }
}

/**
 * Without the number of a status request that has not begun yet: whoever wrote one would hide all changes to come. The responses
 * may have crossed, and then it costs a status request.
 */
function believed(
  { status, final, requestNumber }: DeliveredStatus,
  beginning: number | undefined,
): DeliveredStatus {
  const isPast = requestNumber !== undefined && beginning !== undefined && requestNumber < beginning
  return isPast ? { status, final, requestNumber } : { status, final }
}
