/** Who waits for which payment, so that a callback ends the wait before its time. */
export class PaymentListeners<P> {
  readonly #listeners = new Map<string, Set<(seen: P | undefined) => void>>()

  /** Whoever waits for this payment looks at once, or takes the payment as somebody has just seen it. */
  notify(id: string, seen: P | undefined): void {
    for (const listener of this.#listeners.get(id) ?? []) listener(seen)
  }

  /** Calls back at every `notify` until the returned function is called. */
  listen(id: string, listener: (seen: P | undefined) => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(id, listeners)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id)
    }
  }
}
