import { type Pace, paceOf, secondMs } from './reservation.js'

/** The fractional parts of its multiples are spread evenly, however many there are. */
const goldenRatio = (Math.sqrt(5) - 1) / 2

/** What one of several processes may send while not all of them have the store. Times are those of `performance.now()`. */
export class ProcessShare {
  readonly #pace: Pace
  /** From one permit to the next without the store: half of the share, evenly. */
  readonly #aloneMs: number
  /** Of the newest permits; at most a window's worth. */
  readonly #permittedAt: number[] = []
  #aloneFrom = 0

  /** Rounded down, so that all together stay within the limit in every second; for less than one, on average. */
  constructor(requestsPerSecond: number, processes: number) {
    const share = requestsPerSecond / processes
    this.#pace = paceOf(share < 1 ? share : Math.floor(share))
    this.#aloneMs = (2 * secondMs) / share
  }

  permitted(at: number): void {
    this.#permittedAt.push(at)
    if (this.#permittedAt.length > this.#pace.slots) this.#permittedAt.shift()
  }

  /** From when on one more permit is within the share: for a process that has the store, beside others that have not. */
  get nextAt(): number {
    const { slots, windowMs } = this.#pace
    const first = this.#permittedAt.at(-slots)
    return first === undefined ? 0 : first + windowMs
  }

  /** The same for a process without the store: half of its share, and evenly, since others may have all that there is. */
  get nextAloneAt(): number {
    return Math.max(this.#aloneFrom, (this.#permittedAt.at(-1) ?? Number.NEGATIVE_INFINITY) + this.#aloneMs)
  }

  /**
   * The store is away. Whoever had the n-th slot has a place of its own in a round, far from the places before and
   * after it, so that it doesn't matter who is cut off.
   *
   * @param notBefore when no slot of the store can be in the same window any more.
   * @param clockAheadMs the store's clock less `performance.now()`: all know by it when the round begins.
   */
  goAlone(notBefore: number, slotNumber: number, clockAheadMs: number): void {
    const place = slotNumber === 0 ? Math.random() : (slotNumber * goldenRatio) % 1
    const placeAt = place * this.#aloneMs - clockAheadMs
    this.#aloneFrom = placeAt + Math.ceil((notBefore - placeAt) / this.#aloneMs) * this.#aloneMs
  }
}
