/** The newest that were added, so many at most. */
export class Newest<T> extends Set<T> {
  readonly #max: number

  constructor(max: number) {
    super()
    this.#max = max
  }

  override add(entry: T): this {
    super.add(entry)
    for (const oldest of this) {
      if (this.size <= this.#max) break
      this.delete(oldest)
    }
    return this
  }
}
