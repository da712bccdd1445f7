/** So many at a time; the others wait in the order in which they came. */
export class Turns {
  #free: number
  readonly #waiting = new Set<() => void>()

  constructor(atATime: number) {
    this.#free = atATime
  }

  /** Undefined when it is one's turn at once. Whoever takes a turn has to end it. */
  take(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--
      return undefined
    }
    return new Promise((resolve) => this.#waiting.add(resolve))
  }

  end(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}
