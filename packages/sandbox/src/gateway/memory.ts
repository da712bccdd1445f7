export class BoundedMap<T> extends Map<string, T> {
  readonly #max: number
  readonly #onEvicted: (value: T, key: string) => void

  /** @param onEvicted is called with every entry that makes room for a newer one */
  constructor(max: number, onEvicted: (value: T, key: string) => void = () => {}) {
    super()
    this.#max = max
    this.#onEvicted = onEvicted
  }

  /** What is set again is the newest again. */
  override set(key: string, value: T): this {
    this.delete(key)
    super.set(key, value)
    for (const [oldest, evicted] of this) {
      if (this.size <= this.#max) break
      this.delete(oldest)
      this.#onEvicted(evicted, oldest)
    }
    return this
  }
}

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
