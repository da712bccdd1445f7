import { BoundedMap } from './bounded-map.js'

const MAX_KEYS = 100_000

/**
 * The first entries about each thing. A log of the newest forgets how a thing began, which is what its reader
 * asks for; so the beginnings are kept beside it, bounded in number and in bytes.
 */
export class Beginnings<T> {
  readonly #most: number
  readonly #byKey: BoundedMap<{ readonly entries: readonly T[]; readonly bytes: number }>

  /** @param most entries of one key; 0 keeps none */
  constructor(most: number, maxBytes: number) {
    this.#most = most
    this.#byKey = new BoundedMap(MAX_KEYS, maxBytes)
  }

  /** @returns what counts bytes that come to the entry later */
  add(key: string, entry: T, bytes: number): (more: number) => void {
    const { entries } = this.#byKey.get(key) ?? { entries: [] }
    if (entries.length >= this.#most) return () => {}
    this.#set(key, [...entries, entry], bytes)
    return (more) => {
      const present = this.#byKey.get(key)?.entries
      if (present?.includes(entry) === true) this.#set(key, present, more)
    }
  }

  #set(key: string, entries: readonly T[], more: number): void {
    const bytes = (this.#byKey.get(key)?.bytes ?? 0) + more
    this.#byKey.set(key, { entries, bytes }, bytes)
  }

  /** The first entries, and behind them those of `newest` that are not among them. */
  joinedWith(key: string, newest: readonly T[]): T[] {
    return [...new Set([...(this.#byKey.get(key)?.entries ?? []), ...newest])]
  }

  clear(): void {
    this.#byKey.clear()
  }
}
