import { ignoreRejection } from '../../observe/ignore-rejection.js'
import type { Failure } from '../failure.js'
import type { Limiter, Permit, Priority } from './limiter.js'

/** Asks a limiter for one permit at a time. It may be a caller's own: whatever it returns or throws, nobody else is harmed. */
export class Acquiring {
  /** With which priority a permit is being waited for; undefined while none is. */
  pending: Priority | undefined
  readonly #limiter: Limiter
  /** Most permits come at once, and leave it unused for the next one. */
  #abandon = new AbortController()

  constructor(limiter: Limiter) {
    this.#limiter = limiter
  }

  /** Asks for one, and calls `done`: before this returns when it comes at once, and never after `abandon()`. */
  ask(priority: Priority, done: (result: Permit | Failure) => void): void {
    const { signal } = this.#abandon
    let answer: unknown
    try {
      answer = this.#limiter.acquire(signal, { priority })
    } catch (cause) {
      done({ kind: 'limiter', cause })
      return
    }
    if (answer === undefined) done(atAnyTime)
    else if (isPromiseLike(answer)) this.#waitFor(answer, priority, done)
    else done(permitOf(answer))
  }

  #waitFor(answer: PromiseLike<unknown>, priority: Priority, done: (result: Permit | Failure) => void): void {
    const { signal } = this.#abandon
    this.pending = priority
    const end = () => {
      if (signal.aborted) return false
      this.pending = undefined
      // Whatever the limiter has left on this signal goes with it.
      this.#abandon = new AbortController()
      return true
    }
    Promise.resolve(answer).then(
      (permit) => (end() ? done(permitOf(permit)) : this.sent()),
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

  /** The request went out, or its permit is not used. */
  sent(): void {
    try {
      const returned: unknown = this.#limiter.sent?.()
      if (returned !== undefined) ignoreRejection(returned)
    } catch {
      // Nothing follows from what it throws.
    }
  }

  /** The gateway said 429. */
  pause(ms: number): void {
    try {
      ignoreRejection(this.#limiter.pause?.(ms))
    } catch {
      // Nothing follows from what it throws.
    }
  }
}

const atAnyTime: Permit = { useBefore: Number.POSITIVE_INFINITY }

/** Whatever a limiter returns is a permit; one that doesn't say until when it is good is good at any time. */
function permitOf(answer: unknown): Permit | Failure {
  try {
    const useBefore: unknown =
      typeof answer === 'object' && answer !== null && Object.hasOwn(answer, 'useBefore')
        ? Reflect.get(answer, 'useBefore')
        : undefined
    const isTime = typeof useBefore === 'number' && useBefore > Number.NEGATIVE_INFINITY
    return isTime ? { useBefore } : atAnyTime
  } catch (cause) {
    return { kind: 'limiter', cause }
  }
}

function isPromiseLike(answer: unknown): answer is PromiseLike<unknown> {
  return (
    typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function'
  )
}
