/** A map of the newest entries: bounded in number and in bytes. */
export class BoundedMap<T> {
  readonly #entries = new Map<string, { readonly value: T; bytes: number }>()
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
    this.#trim()
  }

  /** The value costs another number of bytes now; its place stays. */
  resize(key: string, bytes: number): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    const all = bytes + key.length * 2 + 100
    this.#bytes += all - entry.bytes
    entry.bytes = all
    this.#trim()
  }

  /** The newest stays whatever its size: the caller is about to ask for it. */
  #trim(): void {
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#maxEntries && this.#bytes <= this.#maxBytes) return
      if (this.#entries.size === 1) return
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
