import { type Failure, givenUp } from './failure.js'

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
  aborted = false

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener)
  }

  abort(): void {
    this.aborted = true
    for (const listener of this.#listeners) {
      this.#listeners.delete(listener)
      listener()
    }
  }
}

export interface StopSignals {
  readonly signal: AbortSignal | undefined
  readonly closing: Closing
}

/** Waits so long, or until the caller gives up or the client closes. Leaves no timer and no listener. */
export function sleep(ms: number, signals: StopSignals): Promise<Failure | undefined> {
  return within<undefined, undefined>(new Promise(() => {}), { ...signals, ms, late: undefined })
}

export interface WaitLimits<L> extends StopSignals {
  readonly ms: number
  readonly late: L
}

/** A promise of somebody else's, waited for so long and no longer. It is never left unhandled. */
export function within<T, L = Failure>(promise: Promise<T>, limits: WaitLimits<L>): Promise<T | L | Failure> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      stopListening()
    }
    const settle = (value: T | L | Failure) => {
      leave()
      resolve(value)
    }
    const timer = setTimeout(() => settle(limits.late), limits.ms)
    const end = () => settle(givenUp(limits) ?? limits.late)
    const stopListening = listen(limits, end)
    promise.then(settle, (error) => {
      leave()
      reject(error)
    })
    if (givenUp(limits) !== undefined) end()
  })
}

function listen({ signal, closing }: StopSignals, end: () => void): () => void {
  signal?.addEventListener('abort', end)
  closing.addEventListener('abort', end)
  return () => {
    signal?.removeEventListener('abort', end)
    closing.removeEventListener('abort', end)
  }
}
