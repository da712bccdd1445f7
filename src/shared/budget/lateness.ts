/** At least and at most for so long a slot may be used after its time, in milliseconds. */
const leastMs = 5
export const mostLateMs = 40

/** What a process knows of how late it uses its slots: timers fire late, and other work goes before. */
export class Lateness {
  /** The latest of late, and less with each that came sooner. Nothing is known at the start. */
  #worstMs = mostLateMs / 2

  /** For how long a slot has to be good, so that it comes to something as a rule. */
  get goodForMs(): number {
    return Math.min(mostLateMs, Math.max(leastMs, Math.ceil(2 * this.#worstMs) + 3))
  }

  /** A slot was used so late. */
  used(lateMs: number): void {
    this.#worstMs = Math.max(lateMs, this.#worstMs * 0.9)
  }

  /** A slot came to nothing, since its time was over. */
  lost(): void {
    this.#worstMs = mostLateMs / 2
  }
}
