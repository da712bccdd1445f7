/** What ends some work early: any of these signals, or that so many milliseconds have passed. */
export interface Ends {
  readonly signals?: readonly AbortSignal[]
  readonly ms?: number
}

/** Listeners and a plain timer: Node 20 may collect what `AbortSignal.any` makes of `AbortSignal.timeout`. */
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

export async function limited<T>(ends: Ends, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new Limit(ends)
  try {
    return await work(limit.signal)
  } finally {
    limit.release()
  }
}

/** What a promise resolves to, or the signal's reason as soon as it fires: for work that takes no signal. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end)
    // Whoever loses becomes no unhandled rejection.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}
