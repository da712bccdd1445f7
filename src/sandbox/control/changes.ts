/** Says that something in the sandbox has changed, to whoever shows it. Costs next to nothing while nobody does. */
export class Pulse {
  readonly #listeners = new Set<() => void>()

  beat(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Calls `listener` at every change, until the result is called. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
