export class Newest<T> {
  readonly #entries = new Set<T>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  add(entry: T): void {
    this.#entries.add(entry)
    for (const oldest of this.#entries) {
      if (this.#entries.size <= this.#max) return
      this.#entries.delete(oldest)
    }
  }

  toArray(): T[] {
    return [...this.#entries]
  }

  clear(): void {
    this.#entries.clear()
  }
}
