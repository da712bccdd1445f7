import type { Lane } from '../../observe/events.js'
import { aborted } from '../abortable-wait.js'
import type { Failure } from '../failure.js'
import type { Permit } from './limiter.js'

/** A permit, and when it was given, on the monotonic clock. */
export interface Granted extends Permit {
  readonly at: number
}

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
  readonly #waiters: W[] = []
  /** How many of them, from the first on, had a permit before. */
  #again = 0

  constructor(name: Lane) {
    this.name = name
  }

  get depth(): number {
    return this.#waiters.length
  }

  get first(): W | undefined {
    return this.#waiters[0]
  }

  add(waiter: W, again: boolean): void {
    if (again) this.#waiters.splice(this.#again++, 0, waiter)
    else this.#waiters.push(waiter)
  }

  remove(waiter: W): void {
    const at = this.#waiters.indexOf(waiter)
    if (at === -1) return
    this.#waiters.splice(at, 1)
    if (at < this.#again) this.#again--
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
  readonly #remainingMs: number
  readonly #resolve: (came: Granted | Failure) => void
  #isWaiting = true
  #timer: NodeJS.Timeout | undefined

  constructor(
    queue: Queue,
    lane: WaitingLane,
    isPublished: boolean,
    { signal, remainingMs }: TakeOptions,
    resolve: (came: Granted | Failure) => void,
  ) {
    this.#queue = queue
    this.lane = lane
    this.isPublished = isPublished
    this.#signal = signal
    this.#remainingMs = remainingMs
    this.#resolve = resolve
  }

  get isWaiting(): boolean {
    return this.#isWaiting
  }

  /** Its permit did not come at once: from now on its time runs, and its caller's signal is heard. */
  limit(): void {
    this.#timer = setTimeout(Waiter.#late, this.#remainingMs, this)
    this.#signal?.addEventListener('abort', this)
  }

  static #late(waiter: Waiter): void {
    waiter.refuse({ kind: 'deadline', sent: false, while: 'waiting for a permit' })
  }

  /** The caller's signal has fired. */
  handleEvent(): void {
    this.leaveIfAborted()
  }

  leaveIfAborted(): void {
    if (this.#signal?.aborted === true) this.refuse(aborted(this.#signal))
  }

  grant(permit: Granted): void {
    this.#leave('granted', permit)
  }

  refuse(failure: Failure): void {
    this.#leave('left', failure)
  }

  #leave(how: 'granted' | 'left', came: Granted | Failure): void {
    if (!this.#isWaiting) return
    this.#isWaiting = false
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this)
    this.#queue.left(this, how)
    this.#resolve(came)
  }
}
