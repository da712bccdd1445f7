/** At least and at most for so long a slot may be used after it begins, in milliseconds. */
const leastMs = 5
export const mostLateMs = 40

/** What a process knows of how late it uses its slots: timers fire late, and other work goes before. */
export class Lateness {
  /** The longest delay so far; each slot that was used sooner takes a tenth off. A guess at the start. */
  #worstMs = mostLateMs / 2

  /** For how long a slot has to be valid, so that as a rule it is used in time. */
  get validMs(): number {
    return Math.min(mostLateMs, Math.max(leastMs, Math.ceil(2 * this.#worstMs) + 3))
  }

  used(lateMs: number): void {
    this.#worstMs = Math.max(lateMs, this.#worstMs * 0.9)
  }

  lost(): void {
    this.#worstMs = mostLateMs / 2
  }
}
