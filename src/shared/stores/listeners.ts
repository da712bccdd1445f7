import type { CalledBack } from '../../callbacks/index.js'

type Listener = (payment: CalledBack) => void

/** Who is told of what comes through one channel. */
export class Listeners {
  readonly #listeners = new Set<Listener>()

  /** Calls back until the returned function is called. */
  add(listener: Listener): () => void {
    // Anew for each: the same function may be given twice.
    const own: Listener = (payment) => listener(payment)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  tell(payment: CalledBack): void {
    for (const listener of this.#listeners) listener(payment)
  }

  clear(): void {
    this.#listeners.clear()
  }
}
