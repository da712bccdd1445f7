import type { Lane } from '../../observe/events.js'
import type { Failure } from '../failure.js'

/** One call that waits for a permit. */
export interface Waiter {
  grant(): void
  refuse(failure: Failure): void
}

/** Those who wait in one lane: calls that had a permit before first, then in the order in which they came. */
export class WaitingLane {
  readonly name: Lane
  /** How many permits went to other lanes since this one had one, or since somebody began to wait in it. */
  passedOver = 0
  readonly #again = new Set<Waiter>()
  readonly #others = new Set<Waiter>()

  constructor(name: Lane) {
    this.name = name
  }

  get depth(): number {
    return this.#again.size + this.#others.size
  }

  get first(): Waiter | undefined {
    const [first] = this.#again.size > 0 ? this.#again : this.#others
    return first
  }

  add(waiter: Waiter, again: boolean): void {
    if (again) this.#again.add(waiter)
    else this.#others.add(waiter)
  }

  remove(waiter: Waiter): void {
    this.#again.delete(waiter)
    this.#others.delete(waiter)
    if (this.depth === 0) this.passedOver = 0
  }
}
