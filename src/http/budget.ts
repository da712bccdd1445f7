import type { Lane } from '../observe/events.js'
import type { Observer } from '../observe/observer.js'
import { longestMs } from '../schemas/durations.js'
import { AttemptFailed } from './failure.js'
import { aborted, refuseAborted } from './waits.js'

/** Who goes first. Tokens come before everything, since everything waits for them. */
export const lanes: readonly Lane[] = ['token', 'create', 'read', 'callback', 'poll']

/**
 * Decides when the next request may be sent. Plug in another one for another rate, or for a budget
 * that many processes share.
 */
export interface Limiter {
  /**
   * Resolves when one more request may be sent; returns undefined when that is now. It is asked for
   * one permit at a time, as long as it heeds the signal.
   *
   * @param signal fires when nobody waits for a permit any more: stop asking and leave no timer.
   */
  acquire(signal: AbortSignal): PromiseLike<void> | undefined
  /**
   * Called when a permitted request went out, or ended without; only if the limiter wants to know. A
   * process that is killed between the two never calls it, so a shared limiter must not wait for it.
   */
  sent?(): void
}

/** Lanes for which nobody waits in person. They leave a part of the budget to those for which somebody does. */
const backgroundLanes: readonly Lane[] = ['callback', 'poll']
const windowMs = 1080

/** The waiters of one lane, as a linked list, so that leaving costs nothing. */
interface LaneList {
  readonly name: Lane
  readonly background: boolean
  depth: number
  first: Waiter | undefined
  last: Waiter | undefined
}

/** One place in the queue. Fields in place of closures: a hundred thousand of them may wait. */
class Waiter {
  previous: Waiter | undefined
  next: Waiter | undefined
  readonly lane: LaneList
  readonly #queue: Queue
  readonly #resolve: () => void
  readonly #reject: (error: AttemptFailed) => void
  readonly #signal: AbortSignal | undefined
  readonly #timer: NodeJS.Timeout

  constructor(
    queue: Queue,
    lane: LaneList,
    { signal, remainingMs }: TakeOptions,
    resolve: () => void,
    reject: (error: AttemptFailed) => void,
  ) {
    this.lane = lane
    this.previous = lane.last
    this.#queue = queue
    this.#resolve = resolve
    this.#reject = reject
    this.#signal = signal
    this.#timer = setTimeout(Waiter.#late, remainingMs, this)
    signal?.addEventListener('abort', this)
  }

  static #late(waiter: Waiter): void {
    waiter.refuse(outOfTime())
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
    this.#queue.left(this, how)
  }
}

interface Queue {
  left(waiter: Waiter, how: 'granted' | 'left'): void
}

export interface TakeOptions {
  readonly signal: AbortSignal | undefined
  /** How long this call may wait, in milliseconds. */
  readonly remainingMs: number
}

/**
 * The one queue in front of the limiter. Every request of a client passes here, retries and token
 * requests included.
 */
export class Budget {
  readonly #limiter: Limiter | undefined
  readonly #maxQueued: number
  readonly #lanes = new Map<Lane, LaneList>(
    lanes.map((lane) => [
      lane,
      { name: lane, background: backgroundLanes.includes(lane), depth: 0, first: undefined, last: undefined },
    ]),
  )
  readonly #backgroundLimit: number
  readonly #observer: Observer | undefined
  /** When the newest permits went to background lanes, oldest first. */
  readonly #backgroundAt: number[] = []
  #closed = false
  #queued = 0
  /** There while the pump runs; ends what it waits for when the last waiter has gone. */
  #pump: AbortController | undefined
  #pausedUntil = 0
  /** Ends what the pump waits for, so that it looks again. */
  #lookAgain: (() => void) | undefined

  /** @param backgroundLimit how many permits in a window go to callbacks and polls at most. */
  constructor(
    limiter: Limiter | undefined,
    maxQueued: number,
    backgroundLimit = Number.POSITIVE_INFINITY,
    observer?: Observer,
  ) {
    this.#limiter = limiter
    this.#maxQueued = maxQueued
    this.#backgroundLimit = backgroundLimit
    this.#observer = observer
  }

  /** How many calls wait. */
  get queued(): number {
    return this.#queued
  }

  /**
   * Takes a permit. Returns undefined when it was free at once; otherwise a promise that rejects
   * with {@link AttemptFailed} when the call is aborted, out of time, or one too many.
   */
  take(lane: Lane, options: TakeOptions): Promise<void> | undefined {
    if (this.#closed) throw new AttemptFailed({ kind: 'closed' })
    refuseAborted(options.signal)
    const pauseMs = this.#pausedUntil - performance.now()
    if (pauseMs <= 0 && this.#queued === 0 && this.#limiter === undefined) return undefined
    if (pauseMs >= options.remainingMs) throw new AttemptFailed({ kind: 'paused', retryAfterMs: pauseMs })
    if (this.#queued >= this.#maxQueued) throw new AttemptFailed({ kind: 'queue-full' })
    const granted = this.#enqueue(lane, options)
    // Whoever was told of the queue may have given the call up by now, and a pump for nobody never ends.
    if (this.#queued > 0 && this.#pump === undefined) void this.#run()
    return granted
  }

  /** Nobody is granted a permit for this long: the gateway said 429. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms)
    const observer = this.#observer
    observer?.tell('merchant-gateway:budget', { client: observer.client, kind: 'paused', pauseMs: ms })
  }

  /** A permitted request went out, or ended without. */
  sent(): void {
    try {
      this.#limiter?.sent?.()
    } catch {
      // The limiter is somebody else's, and what it thinks of it can't undo a request that went out.
    }
  }

  /** Refuses everybody who waits and everybody who comes. */
  close(): void {
    this.#closed = true
    for (const lane of this.#lanes.values()) {
      while (lane.first !== undefined) lane.first.refuse(new AttemptFailed({ kind: 'closed' }))
    }
  }

  #enqueue(name: Lane, options: TakeOptions): Promise<void> {
    const lane = this.#lanes.get(name)
    if (lane === undefined) throw new RangeError(`no lane ${name}`)
    return new Promise((resolve, reject) => {
      const waiter = new Waiter(this, lane, options, resolve, reject)
      if (lane.last === undefined) lane.first = waiter
      else lane.last.next = waiter
      lane.last = waiter
      this.#queued++
      this.#tell('queued', lane, 1)
      if (!lane.background) this.#lookAgain?.()
    })
  }

  /** @internal A waiter has been granted or refused. */
  left({ lane, previous, next }: Waiter, how: 'granted' | 'left'): void {
    if (previous === undefined) lane.first = next
    else previous.next = next
    if (next === undefined) lane.last = previous
    else next.previous = previous
    this.#queued--
    this.#tell(how, lane, -1)
    if (this.#queued > 0) return
    this.#lookAgain?.()
    this.#pump?.abort()
    // Whoever comes next starts a new one, and does not rely on one that is ending.
    this.#pump = undefined
  }

  #tell(kind: 'queued' | 'granted' | 'left', lane: LaneList, change: 1 | -1): void {
    lane.depth += change
    const observer = this.#observer
    if (observer?.wants('merchant-gateway:budget') !== true) return
    const { name, depth } = lane
    observer.tell('merchant-gateway:budget', { client: observer.client, kind, lane: name, depth })
  }

  /** Asks for one permit after another, as long as somebody waits, and hands each to the first in line. */
  async #run(): Promise<void> {
    const pump = new AbortController()
    this.#pump = pump
    while (!pump.signal.aborted) {
      while (this.#holdMs() > 0) await this.#wait(this.#holdMs())
      let failure: AttemptFailed | undefined
      try {
        await this.#limiter?.acquire(pump.signal)
      } catch (cause) {
        failure = new AttemptFailed({ kind: 'limiter', cause })
      }
      // A pause that began while the limiter was asked holds this permit back too.
      while (this.#holdMs() > 0) await this.#wait(this.#holdMs())
      const first = pump.signal.aborted ? undefined : this.#first()
      if (failure !== undefined) first?.refuse(failure)
      else if (first === undefined) this.sent()
      else this.#grant(first)
    }
  }

  #grant(waiter: Waiter): void {
    if (waiter.lane.background && Number.isFinite(this.#backgroundLimit)) {
      this.#backgroundAt.push(performance.now())
      if (this.#backgroundAt.length > this.#backgroundLimit) this.#backgroundAt.shift()
    }
    waiter.grant()
  }

  #first(): Waiter | undefined {
    for (const lane of this.#lanes.values()) if (lane.first !== undefined) return lane.first
    return undefined
  }

  /** For how long nobody may be granted a permit, as things are now. */
  #holdMs(): number {
    const first = this.#first()
    if (first === undefined) return 0
    const now = performance.now()
    if (this.#pausedUntil > now) return this.#pausedUntil - now
    // A burst of callbacks and polls must not leave the next create without a permit for a second.
    const oldest = this.#backgroundAt[this.#backgroundAt.length - this.#backgroundLimit]
    return first.lane.background && oldest !== undefined ? oldest + windowMs - now : 0
  }

  /** Ends early when there is reason to look again, and leaves no timer when nobody waits any more. */
  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#lookAgain = undefined
        resolve()
      }
      const timer = setTimeout(end, Math.min(ms, longestMs))
      this.#lookAgain = end
    })
  }
}

function outOfTime(): AttemptFailed {
  return new AttemptFailed({ kind: 'deadline', sent: false, while: 'waiting for a permit' })
}
