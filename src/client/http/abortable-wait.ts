import { type Ending, inTime, notInTime } from '../input/wait.js'
import { type Failure, givenUp, type StopSignals } from './failure.js'

/** In place of an `AbortSignal`, which takes seconds where ten thousand calls listen: it searches all for each that comes or goes. */
export class ClosingSignal implements Ending {
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

export async function sleep(ms: number, { signal, closing }: StopSignals): Promise<Failure | undefined> {
  await inTime(new Promise(() => {}), ms, signal, closing)
  return givenUp({ signal, closing })
}

export interface WaitLimits<L> extends StopSignals {
  readonly ms: number
  readonly late: L
}

export async function within<T, L = Failure>(
  promise: Promise<T>,
  limits: WaitLimits<L>,
): Promise<T | L | Failure> {
  const result = await inTime(promise, limits.ms, limits.signal, limits.closing)
  return result === notInTime ? (givenUp(limits) ?? limits.late) : result
}
