/** A log of the newest entries: bounded in number and in bytes. */
export class BoundedLog<T> {
  #entries: (T | undefined)[] = []
  #sizes: number[] = []
  #first = 0
  #bytes = 0
  readonly #maxEntries: number
  readonly #maxBytes: number

  constructor(maxEntries: number, maxBytes: number) {
    this.#maxEntries = maxEntries
    this.#maxBytes = maxBytes
  }

  get length(): number {
    return this.#entries.length - this.#first
  }

  add(entry: T, bytes: number): void {
    if (this.#maxEntries === 0) return
    this.#entries.push(entry)
    this.#sizes.push(bytes)
    this.#bytes += bytes
    // The newest stays whatever its size: a test that looks at its last request must find it.
    while (this.length > this.#maxEntries || (this.#bytes > this.#maxBytes && this.length > 1)) this.#forget()
  }

  /** The entries as they are now, oldest first. */
  toArray(): T[] {
    return this.#entries.slice(this.#first).filter((entry): entry is T => entry !== undefined)
  }

  clear(): void {
    this.#entries = []
    this.#sizes = []
    this.#first = 0
    this.#bytes = 0
  }

  #forget(): void {
    this.#bytes -= this.#sizes[this.#first] ?? 0
    this.#entries[this.#first] = undefined
    this.#first += 1
    if (this.#first < 1024 || this.#first * 2 < this.#entries.length) return
    // Shifting the arrays at every removal would cost more than copying them now and then.
    this.#entries = this.#entries.slice(this.#first)
    this.#sizes = this.#sizes.slice(this.#first)
    this.#first = 0
  }
}
