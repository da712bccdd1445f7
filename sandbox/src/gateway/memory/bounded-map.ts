/** A map of the newest entries: bounded in number and in bytes. */
export class BoundedMap<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly bytes: number }>()
  readonly #maxEntries: number
  readonly #maxBytes: number
  readonly #onEvicted: (value: T, key: string) => void
  #bytes = 0

  /** @param onEvicted is called with every entry that is removed to make room for a newer one */
  constructor(
    maxEntries: number,
    maxBytes = Number.POSITIVE_INFINITY,
    onEvicted: (value: T, key: string) => void = () => {},
  ) {
    this.#maxEntries = maxEntries
    this.#maxBytes = maxBytes
    this.#onEvicted = onEvicted
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value
  }

  has(key: string): boolean {
    return this.#entries.has(key)
  }

  values(): T[] {
    return [...this.#entries.values()].map(({ value }) => value)
  }

  /** @param bytes what the value costs, roughly; the key comes on top */
  set(key: string, value: T, bytes = 0): void {
    this.#forget(key)
    const all = bytes + key.length * 2 + 100
    this.#entries.set(key, { value, bytes: all })
    this.#bytes += all
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) return
      // The newest stays whatever its size: the caller is about to ask for it.
      if (oldest === key) return
      this.#forget(oldest)
      this.#onEvicted(entry.value, oldest)
    }
  }

  clear(): void {
    this.#entries.clear()
    this.#bytes = 0
  }

  #forget(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}
