import type { Failure } from '../failure.js'
import type { Limiter, Permit, PermitRequest } from './limiter.js'

type Result = Permit | Failure

export class PermitSource {
  asked: PermitRequest['priority'] | undefined
  readonly #limiter: Limiter
  #abandon = new AbortController()

  constructor(limiter: Limiter) {
    this.#limiter = limiter
  }

  ask(priority: PermitRequest['priority'], later: (result: Result) => void): Result | undefined {
    const { signal } = this.#abandon
    let permit: ReturnType<Limiter['acquire']>
    try {
      permit = this.#limiter.acquire(signal, { priority })
    } catch (cause) {
      return { kind: 'limiter', cause }
    }
    if (permit === undefined || !('then' in permit)) return permit ?? atAnyTime
    this.asked = priority
    const end = (result: Result) => {
      this.asked = undefined
      // Whatever the limiter has left on this signal goes with it.
      this.#abandon = new AbortController()
      later(result)
    }
    permit.then(
      (granted) => (signal.aborted ? this.#limiter.sent?.() : end(granted ?? atAnyTime)),
      (cause) => signal.aborted || end({ kind: 'limiter', cause }),
    )
    return undefined
  }

  abandon(): void {
    if (this.asked === undefined) return
    this.asked = undefined
    this.#abandon.abort()
    this.#abandon = new AbortController()
  }
}

const atAnyTime: Permit = { useBefore: Number.POSITIVE_INFINITY }
