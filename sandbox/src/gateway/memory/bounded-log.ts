interface Held<T> {
  readonly entry: T
  bytes: number
  isHeld: boolean
}

/** A log of the newest entries: bounded in number and in bytes. */
export class BoundedLog<T> {
  #entries: (Held<T> | undefined)[] = []
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

  /** @returns what counts bytes that come to the entry later */
  add(entry: T, bytes: number): (more: number) => void {
    if (this.#maxEntries === 0) return () => {}
    const held: Held<T> = { entry, bytes, isHeld: true }
    this.#entries.push(held)
    this.#bytes += bytes
    this.#trim()
    return (more) => {
      if (!held.isHeld) return
      held.bytes += more
      this.#bytes += more
      this.#trim()
    }
  }

  /** The entries as they are now, oldest first. */
  toArray(): T[] {
    const entries: T[] = []
    for (const held of this.#entries) if (held !== undefined) entries.push(held.entry)
    return entries
  }

  clear(): void {
    for (const held of this.#entries) if (held !== undefined) held.isHeld = false
    this.#entries = []
    this.#first = 0
    this.#bytes = 0
  }

  /** The newest stays whatever its size: a test that looks at its last request must find it. */
  #trim(): void {
    while (this.length > this.#maxEntries || (this.#bytes > this.#maxBytes && this.length > 1)) this.#forget()
  }

  #forget(): void {
    const held = this.#entries[this.#first]
    if (held !== undefined) {
      this.#bytes -= held.bytes
      held.isHeld = false
    }
    this.#entries[this.#first] = undefined
    this.#first += 1
    if (this.#first < 1024 || this.#first * 2 < this.#entries.length) return
    // Shifting the array at every removal would cost more than copying it now and then.
    this.#entries = this.#entries.slice(this.#first)
    this.#first = 0
  }
}
