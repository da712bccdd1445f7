import type { Failure } from '../failure.js'
import type { Limiter, Permit, PermitRequest } from './limiter.js'

export class Acquiring {
  /** With which priority a permit is being waited for; undefined while none is. */
  pending: PermitRequest['priority'] | undefined
  readonly #limiter: Limiter
  /** Most permits come at once, and leave it unused for the next one. */
  #abandon = new AbortController()

  constructor(limiter: Limiter) {
    this.#limiter = limiter
  }

  /** Asks for one, and calls `done`: before this returns when it comes at once, and never after `abandon()`. */
  ask(priority: PermitRequest['priority'], done: (result: Permit | Failure) => void): void {
    const { signal } = this.#abandon
    let permit: ReturnType<Limiter['acquire']>
    try {
      permit = this.#limiter.acquire(signal, { priority })
    } catch (cause) {
      done({ kind: 'limiter', cause })
      return
    }
    if (permit === undefined || !('then' in permit)) {
      done(permit ?? atAnyTime)
      return
    }
    this.pending = priority
    const end = () => {
      if (signal.aborted) return false
      this.pending = undefined
      // Whatever the limiter has left on this signal goes with it.
      this.#abandon = new AbortController()
      return true
    }
    permit.then(
      (granted) => (end() ? done(granted ?? atAnyTime) : this.sent()),
      (cause) => end() && done({ kind: 'limiter', cause }),
    )
  }

  /** Nobody waits for the permit any more, or it is to be asked for with another priority. */
  abandon(): void {
    if (this.pending === undefined) return
    this.pending = undefined
    this.#abandon.abort()
    this.#abandon = new AbortController()
  }

  sent(): void {
    this.#limiter.sent?.()
  }

  pause(ms: number): void {
    this.#limiter.pause?.(ms)
  }
}

const atAnyTime: Permit = { useBefore: Number.POSITIVE_INFINITY }
