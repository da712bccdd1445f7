/** How many slots fit into which span of time: never more than `slots` in any `windowMs`. */
export interface Pace {
  readonly slots: number
  readonly windowMs: number
}

/** The second that the gateway counts in, and 80 ms by which the network may squeeze what was sent evenly. */
const secondMs = 1080

/** Ten a second are ten in 1080 ms; two and a half are three in 1296 ms; a half is one in 2160 ms. */
export function paceOf(requestsPerSecond: number): Pace {
  const slots = Math.ceil(requestsPerSecond)
  return { slots, windowMs: Math.ceil((secondMs * slots) / requestsPerSecond) }
}

/**
 * What one of so many processes may send by itself. Rounded down, so that all of them together stay within the
 * limit in every second; where there are more processes than requests a second, they do on average.
 */
function shareOf(requestsPerSecond: number, processes: number): Pace {
  const share = requestsPerSecond / processes
  return paceOf(share < 1 ? share : Math.floor(share))
}

export function gapMs({ slots, windowMs }: Pace): number {
  return Math.ceil(windowMs / slots)
}

/** The fractional parts of its multiples are spread evenly, however many there are. */
const goldenRatio = (Math.sqrt(5) - 1) / 2

/** What this process sent, against what it may send when not all processes have the store. */
export class ProcessQuota {
  readonly #pace: Pace
  /** From one permit to the next without the store: half of the share, evenly. */
  readonly #aloneMs: number
  /** When the newest permits were due or used, on the clock of `performance.now()`; at most a window's worth. */
  readonly #permits: number[] = []
  #lastAt = Number.NEGATIVE_INFINITY

  constructor(requestsPerSecond: number, processes: number) {
    this.#pace = shareOf(requestsPerSecond, processes)
    this.#aloneMs = (2 * secondMs * processes) / requestsPerSecond
  }

  /** From when on one more permit is within the share: for a process that has the store, beside others that have not. */
  get nextAt(): number {
    const { slots, windowMs } = this.#pace
    const first = this.#permits.at(-slots)
    return first === undefined || this.#permits.length < slots ? 0 : first + windowMs
  }

  /**
   * The same for a process that doesn't have the store. Others may have it, and all that there is: so it takes half of
   * its share, and evenly.
   */
  get nextAloneAt(): number {
    return this.#lastAt + this.#aloneMs
  }

  /**
   * Its first permit without the store, not before. Whoever had the n-th slot has a place of its own in a round of all,
   * and places that follow each other are far apart, so that it doesn't matter who of them is cut off.
   *
   * @param clockAheadMs the store's clock less `performance.now()`, by which all know when the round begins.
   */
  firstAloneAt(notBefore: number, slotNumber: number, clockAheadMs: number): number {
    const place = slotNumber === 0 ? Math.random() : (slotNumber * goldenRatio) % 1
    const placeAt = place * this.#aloneMs - clockAheadMs
    return placeAt + Math.ceil((notBefore - placeAt) / this.#aloneMs) * this.#aloneMs
  }

  use(at: number): void {
    this.#lastAt = at
    this.#permits.push(at)
    if (this.#permits.length > this.#pace.slots) this.#permits.shift()
  }

  /** The newest permit was used then, and not when it was due. */
  sent(at: number): void {
    this.#lastAt = at
    if (this.#permits.length > 0) this.#permits[this.#permits.length - 1] = at
  }
}
