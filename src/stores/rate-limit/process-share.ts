import { type Pace, paceOf, secondMs } from './pace.js'

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

  /**
   * The share is rounded down, so that all processes together stay within the limit in every second; where there are
   * more processes than requests a second, they do on average.
   */
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

  /**
   * The same for a process that doesn't have the store. Others may have it, and all that there is: so it takes half of
   * its share, and evenly.
   */
  get nextAloneAt(): number {
    return Math.max(this.#aloneFrom, (this.#permittedAt.at(-1) ?? Number.NEGATIVE_INFINITY) + this.#aloneMs)
  }

  /**
   * The store is away. Whoever had the n-th slot has a place of its own in a round of all, and places that follow each
   * other are far apart, so that it doesn't matter who of them is cut off.
   *
   * @param notBefore when no slot of the store can be in the same window any more.
   * @param clockAheadMs the store's clock less `performance.now()`, by which all know when the round begins.
   */
  goAlone(notBefore: number, slotNumber: number, clockAheadMs: number): void {
    const place = slotNumber === 0 ? Math.random() : (slotNumber * goldenRatio) % 1
    const placeAt = place * this.#aloneMs - clockAheadMs
    this.#aloneFrom = placeAt + Math.ceil((notBefore - placeAt) / this.#aloneMs) * this.#aloneMs
  }
}
