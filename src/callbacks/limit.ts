/** What ends some work early: any of these signals, or that so many milliseconds have passed. */
export interface Ends {
  readonly signals?: readonly AbortSignal[]
  readonly ms?: number
}

/**
 * One signal for several ends, made of listeners and a plain timer: Node 20 may collect what `AbortSignal.any` makes of
 * `AbortSignal.timeout`, which then never fires. Without a `release()` it lasts until it fires; its timer keeps no
 * process alive.
 */
export class Limit {
  readonly #controller = new AbortController()
  readonly #signals: readonly AbortSignal[]
  readonly #timer: NodeJS.Timeout | undefined
  readonly #onAbort = (): void => this.#end(this.#signals.find(({ aborted }) => aborted)?.reason)

  constructor({ signals = [], ms }: Ends) {
    this.#signals = signals
    for (const signal of signals) signal.addEventListener('abort', this.#onAbort)
    if (ms !== undefined) {
      this.#timer = setTimeout(() => this.#end(new DOMException('It took too long.', 'TimeoutError')), ms)
      this.#timer.unref()
    }
    if (signals.some(({ aborted }) => aborted)) this.#onAbort()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Leaves no timer and no listener; the signal fires no more. */
  release(): void {
    clearTimeout(this.#timer)
    for (const signal of this.#signals) signal.removeEventListener('abort', this.#onAbort)
  }

  #end(reason: unknown): void {
    this.release()
    this.#controller.abort(reason)
  }
}
