import { within } from '../client/input/wait.js'
import { TimeoutError } from '../index.js'
import type { CallbackTarget } from './callback-url.js'
import type { Known } from './decisions.js'
import type { DedupeStore, DeliveredStatus } from './dedupe.js'
import type { CallbackFailure } from './options.js'

/** A store that was late is not asked for so many times its limit. */
const restTimes = 10
/** How long other processes leave a status request to the one that makes it, in milliseconds. */
const claimMs = 5000

/** Never throws. */
export type Report = (error: unknown, failure: CallbackFailure) => void

/** The merchant's store, for a limited time: one that fails or hangs is as good as one that knows nothing. */
export class BoundedStore {
  readonly #store: DedupeStore
  readonly #account: string
  readonly #timeoutMs: number
  readonly #report: Report
  #restsUntil = Number.NEGATIVE_INFINITY

  /** @param account names merchant and gateway: several may share the store, and use the same ids. */
  constructor(store: DedupeStore, account: string, timeoutMs: number, report: Report) {
    this.#store = store
    this.#account = account
    this.#timeoutMs = timeoutMs
    this.#report = report
  }

  /** Never rejects. @returns undefined where there was no response. */
  async use<T>(
    target: CallbackTarget,
    run: (store: DedupeStore, key: string) => T | PromiseLike<T>,
  ): Promise<T | undefined> {
    if (performance.now() < this.#restsUntil) return undefined
    const timeoutMs = this.#timeoutMs
    const late = () => {
      this.#restsUntil = performance.now() + restTimes * timeoutMs
      return new TimeoutError(
        `the dedupe store did not answer within dedupeTimeoutMs (${timeoutMs} ms); callbacks are dealt with as new, so your function may be called again with what it knows: see why the store is slow.`,
      )
    }
    try {
      return await within(timeoutMs, late, async () => {
        const found = await run(this.#store, `${this.#account}:${target.kind}:${target.id}`)
        // Though late, it is back.
        this.#restsUntil = Number.NEGATIVE_INFINITY
        return found
      })
    } catch (error) {
      this.#report(error, { ...target, during: 'dedupe-store' })
      return undefined
    }
  }
}

/** What all processes know of one payment, while one of its deliveries lasts. */
export class PaymentRecord {
  readonly #target: CallbackTarget
  readonly #store: BoundedStore
  /** The status request that this process has claimed. */
  #claim: number | undefined
  #claimedUntil: number | undefined

  constructor(target: CallbackTarget, store: BoundedStore) {
    this.#target = target
    this.#store = store
  }

  known(): Promise<Known | undefined> {
    return this.#store.use(this.#target, async (store, key) => {
      const [delivered, requestNumber] = await Promise.all([store.get(key), store.count?.(key)])
      return { delivered: delivered ? believed(delivered, requestNumber) : undefined, requestNumber }
    })
  }

  async lastDelivered(): Promise<DeliveredStatus | undefined> {
    return (await this.#store.use(this.#target, (store, key) => store.get(key))) ?? undefined
  }

  async setDelivered(delivered: DeliveredStatus): Promise<void> {
    await this.#store.use(this.#target, (store, key) => store.set(key, delivered))
  }

  /** A number below that of each status request that begins after this; undefined where the store doesn't count. */
  count(): Promise<number | undefined> {
    return this.#store.use(this.#target, (store, key) => store.count?.(key))
  }

  /** Claims the status request of this number. @returns whether it is another process's. */
  async isClaimed(number: number | undefined): Promise<boolean> {
    if (number === undefined) return false
    const holder = await this.#claimFor(number, claimMs)
    if (holder === number) this.#claim = number
    if (holder === undefined || holder === number) return false
    // Whoever holds it may have been killed.
    this.#claimedUntil ??= performance.now() + claimMs
    return performance.now() < this.#claimedUntil
  }

  async endClaim(): Promise<void> {
    const claim = this.#claim
    this.#claim = undefined
    if (claim !== undefined) await this.#claimFor(claim, 0)
  }

  #claimFor(number: number, ms: number): Promise<number | undefined> {
    return this.#store.use(this.#target, (store, key) => store.claim?.(key, number, ms))
  }
}

/** A number of a status request that has not begun yet is not believed: it would hide all changes to come. */
function believed(
  { status, final, requestNumber }: DeliveredStatus,
  beginning: number | undefined,
): DeliveredStatus {
  const isPast = requestNumber !== undefined && beginning !== undefined && requestNumber < beginning
  return isPast ? { status, final, requestNumber } : { status, final }
}
