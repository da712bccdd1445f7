import type { Lane } from '../../observe/events.js'
import type { Failure } from '../failure.js'

/** How long one call may wait for its permit. */
export interface TakeOptions {
  readonly signal: AbortSignal | undefined
  /** In milliseconds. */
  readonly remainingMs: number
  /** Whether it had a permit before: it goes before those of its lane that came later. */
  readonly again?: boolean
}

/** Those who wait in one lane: calls that had a permit before first, then in the order in which they came. */
export class WaitingLane<W = Waiter> {
  readonly name: Lane
  /** How many permits went to other lanes since this one had one, or since somebody began to wait in it. */
  passedOver = 0
  readonly #again = new Line<W>()
  readonly #others = new Line<W>()

  constructor(name: Lane) {
    this.name = name
  }

  get depth(): number {
    return this.#again.size + this.#others.size
  }

  get first(): W | undefined {
    return this.#again.first ?? this.#others.first
  }

  add(waiter: W, again: boolean): void {
    if (again) this.#again.add(waiter)
    else this.#others.add(waiter)
  }

  remove(waiter: W): void {
    this.#again.delete(waiter)
    this.#others.delete(waiter)
    if (this.depth === 0) this.passedOver = 0
  }
}

/** In the order in which they came; each may leave from anywhere. */
class Line<W> {
  readonly #waiters = new Set<W>()
  #following = this.#waiters.values()
  #first: W | undefined

  get size(): number {
    return this.#waiters.size
  }

  /**
   * A set doesn't close the gaps of those who left at once, and a new iterator passes all of them: with a
   * hundred thousand, that would take seconds. This one goes on from where it was.
   */
  get first(): W | undefined {
    if (this.#waiters.size === 0) return undefined
    while (this.#first === undefined || !this.#waiters.has(this.#first)) {
      const { done, value } = this.#following.next()
      if (done === true) this.#following = this.#waiters.values()
      this.#first = value
    }
    return this.#first
  }

  add(waiter: W): void {
    this.#waiters.add(waiter)
  }

  delete(waiter: W): void {
    this.#waiters.delete(waiter)
    // It holds what the call was made of.
    if (this.#first === waiter) this.#first = undefined
  }
}

/** Hears of everybody who stops waiting. */
interface Queue {
  left(waiter: Waiter, how: 'granted' | 'left'): void
}

/** One call that waits for a permit. Fields in place of closures: there may be many. */
export class Waiter {
  readonly lane: WaitingLane
  /** Whether its waiting is published. */
  readonly isPublished: boolean
  readonly #queue: Queue
  readonly #signal: AbortSignal | undefined
  readonly #resolve: (failure: Failure | undefined) => void
  readonly #timer: NodeJS.Timeout

  constructor(
    queue: Queue,
    lane: WaitingLane,
    isPublished: boolean,
    { signal, remainingMs }: TakeOptions,
    resolve: (failure: Failure | undefined) => void,
  ) {
    this.lane = lane
    this.isPublished = isPublished
    this.#queue = queue
    this.#signal = signal
    this.#resolve = resolve
    this.#timer = setTimeout(Waiter.#late, remainingMs, this)
    signal?.addEventListener('abort', this)
  }

  static #late(waiter: Waiter): void {
    waiter.refuse({ kind: 'deadline', sent: false, while: 'waiting for a permit' })
  }

  /** The caller's signal has fired. */
  handleEvent(): void {
    this.refuse({ kind: 'aborted', sent: false, cause: this.#signal?.reason })
  }

  grant(): void {
    this.#leave('granted', undefined)
  }

  refuse(failure: Failure): void {
    this.#leave('left', failure)
  }

  #leave(how: 'granted' | 'left', failure: Failure | undefined): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this)
    this.#queue.left(this, how)
    this.#resolve(failure)
  }
}
