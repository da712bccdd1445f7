// Stands in for `node:async_hooks` in the bundle. With Node's, each promise of the process is followed from then on,
// which costs a fifth of a simulation; and the client asks for it only what Node's own network code tells it.

/** As Node's for whoever reads it before the function has returned; what that began is not followed. */
export class AsyncLocalStorage<T> {
  #store: T | undefined

  run<A extends readonly unknown[], R>(store: T, run: (...args: A) => R, ...args: A): R {
    const before = this.#store
    this.#store = store
    try {
      return run(...args)
    } finally {
      this.#store = before
    }
  }

  getStore(): T | undefined {
    return this.#store
  }
}
