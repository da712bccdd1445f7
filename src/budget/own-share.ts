import type { Pace } from './pace.js'

/** What this process sent, against the share that it keeps to when the store can't be asked. */
export class OwnShare {
  readonly #pace: Pace
  /** When the newest permits were due or used, on the clock of `performance.now()`; at most a window's worth. */
  readonly #permits: number[] = []

  constructor(pace: Pace) {
    this.#pace = pace
  }

  /** From when on one more permit is within the share. */
  get nextAt(): number {
    const { slots, windowMs } = this.#pace
    const first = this.#permits.at(-slots)
    return first === undefined || this.#permits.length < slots ? 0 : first + windowMs
  }

  /** A permit is used, whoever gave it. */
  use(at: number): void {
    this.#permits.push(at)
    if (this.#permits.length > this.#pace.slots) this.#permits.shift()
  }

  /** The newest permit was used then, and not when it was due. */
  sent(at: number): void {
    if (this.#permits.length > 0) this.#permits[this.#permits.length - 1] = at
  }
}
