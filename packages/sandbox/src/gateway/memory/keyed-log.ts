import { BoundedMap } from './bounded-map.js'

/** How much a log keeps. */
export interface LogLimits {
  readonly maxEntries: number
  readonly maxBytes: number
  /** So many entries of each key stay when newer ones push them out of the log. */
  readonly firstOfKey: number
}

const MAX_KEYS = 100_000

/**
 * The newest entries, and the first ones about each key. A log of the newest forgets how a payment began, which is
 * what its reader wants to know.
 */
export class KeyedLog<T> {
  readonly #limits: LogLimits
  readonly #bytesOf: (entry: T) => number
  readonly #newest: BoundedMap<T>
  readonly #first: BoundedMap<readonly T[]>
  #added = 0

  constructor(limits: LogLimits, bytesOf: (entry: T) => number) {
    this.#limits = limits
    this.#bytesOf = bytesOf
    this.#newest = new BoundedMap(limits.maxEntries, limits.maxBytes)
    this.#first = new BoundedMap(MAX_KEYS, limits.maxBytes)
  }

  /** @returns what counts the bytes of the entry again, when it has grown */
  add(entry: T, key: string | undefined): () => void {
    if (this.#limits.maxEntries === 0) return () => {}
    this.#added += 1
    const number = String(this.#added)
    this.#newest.set(number, entry, this.#bytesOf(entry))
    if (key !== undefined) this.keepFirst(entry, key)
    return () => {
      this.#newest.resize(number, this.#bytesOf(entry))
      if (key !== undefined) this.#first.resize(key, this.#bytesOfAll(this.#first.get(key)))
    }
  }

  /** Keeps an entry among the first about a key. */
  keepFirst(entry: T, key: string): void {
    const { maxEntries, firstOfKey } = this.#limits
    const entries = this.#first.get(key) ?? []
    if (entries.length >= Math.min(firstOfKey, maxEntries)) return
    const all = [...entries, entry]
    this.#first.set(key, all, this.#bytesOfAll(all))
  }

  /** The entries as they are now, oldest first. */
  toArray(): T[] {
    return this.#newest.values()
  }

  /** The first entries about a key, and behind them those of the newest that are about it. */
  about(key: string, isAbout: (entry: T) => boolean): T[] {
    return [...new Set([...this.firstAbout(key), ...this.toArray().filter(isAbout)])]
  }

  firstAbout(key: string): readonly T[] {
    return this.#first.get(key) ?? []
  }

  clear(): void {
    this.#newest.clear()
    this.#first.clear()
  }

  #bytesOfAll(entries: readonly T[] = []): number {
    return entries.reduce((sum, entry) => sum + this.#bytesOf(entry), 0)
  }
}
