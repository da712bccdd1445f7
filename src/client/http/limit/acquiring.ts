import { ignoreRejection } from '../../observe/ignore-rejection.js'
import type { Failure } from '../failure.js'
import type { Limiter, Permit, Priority } from './limiter.js'

/** Asks a limiter for one permit at a time. It may be a caller's own: whatever it gives or throws, nobody else is harmed. */
export class Acquiring {
  readonly #limiter: Limiter
  /** Most permits come at once, and leave it unused for the next one. */
  #abandon = new AbortController()
  #pending: Priority | undefined

  constructor(limiter: Limiter) {
    this.#limiter = limiter
  }

  /** With which priority a permit is being waited for; undefined while none is. */
  get pending(): Priority | undefined {
    return this.#pending
  }

  /** Asks for one, and calls `done`: before this returns when it comes at once, and never after `abandon()`. */
  ask(priority: Priority, done: (came: Permit | Failure) => void): void {
    const { signal } = this.#abandon
    let given: unknown
    try {
      given = this.#limiter.acquire(signal, { priority })
    } catch (cause) {
      done({ kind: 'limiter', cause })
      return
    }
    if (!isPromiseLike(given)) {
      done(permitOf(given))
      return
    }
    this.#pending = priority
    const end = () => {
      if (signal.aborted) return false
      this.#pending = undefined
      // Whatever the limiter has left on this signal goes with it.
      this.#abandon = new AbortController()
      return true
    }
    Promise.resolve(given).then(
      (permit) => (end() ? done(permitOf(permit)) : this.sent()),
      (cause) => end() && done({ kind: 'limiter', cause }),
    )
  }

  /** Nobody waits for the permit any more, or it is to be asked for with another priority. */
  abandon(): void {
    if (this.#pending === undefined) return
    this.#pending = undefined
    this.#abandon.abort()
    this.#abandon = new AbortController()
  }

  /** The request went out, or its permit is not used. */
  sent(): void {
    this.#notify(() => this.#limiter.sent?.())
  }

  /** The gateway said 429. */
  pause(ms: number): void {
    this.#notify(() => this.#limiter.pause?.(ms))
  }

  /** Nothing follows from what it throws. */
  #notify(tell: () => unknown): void {
    try {
      ignoreRejection(tell())
    } catch {
      // As said.
    }
  }
}

/** Whatever a limiter gives is a permit; one that doesn't say until when it is good is good at any time. */
function permitOf(given: unknown): Permit | Failure {
  try {
    const useBefore: unknown =
      typeof given === 'object' && given !== null && Object.hasOwn(given, 'useBefore')
        ? Reflect.get(given, 'useBefore')
        : undefined
    const isTime = typeof useBefore === 'number' && useBefore > Number.NEGATIVE_INFINITY
    return { useBefore: isTime ? useBefore : Number.POSITIVE_INFINITY }
  } catch (cause) {
    return { kind: 'limiter', cause }
  }
}

function isPromiseLike(given: unknown): given is PromiseLike<unknown> {
  return typeof given === 'object' && given !== null && 'then' in given && typeof given.then === 'function'
}
