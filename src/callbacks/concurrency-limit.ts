/** So many at a time; the others wait in the order in which they came. */
export class ConcurrencyLimit {
  #free: number
  /** With the time since when each waits, on the monotonic clock. */
  readonly #waiting = new Map<() => void, number>()

  constructor(atATime: number) {
    this.#free = atATime
  }

  /** For how long the one waits who will be next; 0 when nobody does. Who comes now waits longer. */
  get waitedMs(): number {
    for (const since of this.#waiting.values()) return performance.now() - since
    return 0
  }

  /** Undefined when it is one's turn at once. Whoever takes a turn has to end it. */
  take(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--
      return undefined
    }
    return new Promise((resolve) => this.#waiting.set(resolve, performance.now()))
  }

  end(): void {
    const [next] = this.#waiting.keys()
    if (next === undefined) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
