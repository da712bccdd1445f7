import type { Lane } from '../../observe/events.js'
import { aborted } from '../abortable-wait.js'
import { AttemptFailed } from '../failure.js'

export interface TakeOptions {
  readonly signal: AbortSignal | undefined
  /** How long this call may wait, in milliseconds. */
  readonly remainingMs: number
  /** Whether it had a permit before: it goes before those of its lane that came later. */
  readonly again?: boolean
}

/** Hears of everybody who stops waiting. */
export interface LineOwner {
  left(waiter: Waiter, how: 'granted' | 'left'): void
}

/** The waiters of one lane, as a linked list, so that leaving costs nothing. */
export class Line {
  readonly name: Lane
  passedOver = 0
  depth = 0
  first: Waiter | undefined
  #last: Waiter | undefined

  constructor(name: Lane) {
    this.name = name
  }

  add(waiter: Waiter, inFront: boolean): void {
    if (this.#last === undefined || this.first === undefined) {
      this.first = waiter
      this.#last = waiter
    } else if (inFront) {
      waiter.next = this.first
      this.first.previous = waiter
      this.first = waiter
    } else {
      waiter.previous = this.#last
      this.#last.next = waiter
      this.#last = waiter
    }
    this.depth++
  }

  remove({ previous, next }: Waiter): void {
    if (previous === undefined) this.first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    this.depth--
    if (this.depth === 0) this.passedOver = 0
  }
}

/** One place in the queue. Fields in place of closures: a hundred thousand of them may wait. */
export class Waiter {
  previous: Waiter | undefined
  next: Waiter | undefined
  readonly line: Line
  readonly #owner: LineOwner
  readonly #resolve: () => void
  readonly #reject: (error: AttemptFailed) => void
  readonly #signal: AbortSignal | undefined
  readonly #timer: NodeJS.Timeout

  constructor(
    owner: LineOwner,
    line: Line,
    { signal, remainingMs }: TakeOptions,
    resolve: () => void,
    reject: (error: AttemptFailed) => void,
  ) {
    this.line = line
    this.#owner = owner
    this.#resolve = resolve
    this.#reject = reject
    this.#signal = signal
    this.#timer = setTimeout(Waiter.#late, remainingMs, this)
    signal?.addEventListener('abort', this)
  }

  static #late(waiter: Waiter): void {
    waiter.refuse(new AttemptFailed({ kind: 'deadline', sent: false, while: 'waiting for a permit' }))
  }

  /** The caller's signal has fired. */
  handleEvent(): void {
    if (this.#signal !== undefined) this.refuse(aborted(this.#signal))
  }

  grant(): void {
    this.#leave('granted')
    this.#resolve()
  }

  refuse(error: AttemptFailed): void {
    this.#leave('left')
    this.#reject(error)
  }

  #leave(how: 'granted' | 'left'): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this)
    this.#owner.left(this, how)
  }
}
