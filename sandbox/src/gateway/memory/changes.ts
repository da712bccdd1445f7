/** Tells listeners that something in the sandbox has changed, and not what. Without listeners it does nothing. */
export class Changes {
  readonly #listeners = new Set<() => void>()

  notify(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Calls `listener` at every change, until the function that is returned is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
