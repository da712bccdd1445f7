/** Says that the client is closed. An `AbortSignal` does too, and so may stand in its place. */
export interface Closing {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * The client's own: every call that waits listens to it. An `AbortSignal` looks through all its listeners for
 * each one that comes or goes, so that ten thousand calls that wait for one token would take seconds to begin.
 */
export class ClosingSignal implements Closing {
  readonly #listeners = new Set<() => void>()
  #aborted = false

  get aborted(): boolean {
    return this.#aborted
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
  }

  /** Everybody who waits hears of it, once. */
  abort(): void {
    this.#aborted = true
    for (const listener of this.#listeners) {
      this.#listeners.delete(listener)
      listener()
    }
  }
}
