/** Lets so many run at a time; the others wait in the order in which they asked. */
export class ConcurrencyLimit {
  #free: number
  /** Since when each waits, on the monotonic clock. */
  readonly #waiting = new Map<() => void, number>()

  constructor(atATime: number) {
    this.#free = atATime
  }

  /** For how long the next one has waited; 0 when nobody waits. Whoever asks now waits longer. */
  get waitedMs(): number {
    for (const since of this.#waiting.values()) return performance.now() - since
    return 0
  }

  /** Undefined when there is room at once. Whoever acquires has to release. */
  acquire(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--
      return undefined
    }
    return new Promise((resolve) => this.#waiting.set(resolve, performance.now()))
  }

  release(): void {
    const [next] = this.#waiting.keys()
    if (next === undefined) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
