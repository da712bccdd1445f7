/** Numbers things in the order in which a list meets them, from 1: up to one of these numbers the list stands still. */
export class Numbers<Thing extends object> {
  readonly #numbers = new WeakMap<Thing, number>()
  #last = 0

  /** The number of the newest. */
  get last(): number {
    return this.#last
  }

  of(thing: Thing): number {
    const known = this.#numbers.get(thing)
    if (known !== undefined) return known
    this.#last += 1
    this.#numbers.set(thing, this.#last)
    return this.#last
  }
}
