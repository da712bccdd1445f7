import type { Lane } from '../../observe/events.js'
import { forgive } from '../../observe/ignore-rejection.js'
import type { Observer } from '../../observe/observer.js'
import { longestMs } from '../../schemas/durations.js'
import { refuseAborted } from '../abortable-wait.js'
import { AttemptFailed, type TransportResponse } from '../failure.js'
import { retryAfterMs } from '../retry-policy.js'
import { lanes, nextLane } from './lanes.js'
import type { Limiter } from './limiter.js'
import { Line, type LineOwner, type TakeOptions, Waiter } from './line.js'
import { type Sent, Spacing } from './spacing.js'

export interface QueueParts {
  readonly limiter?: Limiter | undefined
  /** How many calls may wait. */
  readonly maxQueued: number
  readonly spacing?: Spacing
  /** How long until a look-up for a callback, or a poll, may go while no other lane waits. */
  readonly alone?: Record<'callback' | 'poll', () => number>
  readonly observer?: Observer
}

/**
 * The one queue in front of the limiter. Every request of a client passes here, retries and token
 * requests included.
 */
export class PermitQueue implements LineOwner {
  readonly #parts: QueueParts
  readonly #limiter: Limiter | undefined
  readonly #spacing: Spacing
  readonly #lines = lanes.map((lane) => new Line(lane))
  #closed = false
  #queued = 0
  /** There while the pump runs; ends what it waits for when the last waiter has gone. */
  #pump: AbortController | undefined
  #pausedUntil = 0
  /** After a 429 one request goes ahead of the others; when it was permitted, if it was. */
  #ahead: { permittedAt?: number } | undefined
  /** Ends what the pump waits for, so that it looks again. */
  #lookAgain: (() => void) | undefined

  constructor(parts: QueueParts) {
    this.#parts = parts
    this.#limiter = parts.limiter
    this.#spacing = parts.spacing ?? new Spacing(undefined, 'in-windows')
  }

  /** How many calls wait. */
  get queued(): number {
    return this.#queued
  }

  /** For how long nobody gets a permit, in milliseconds. */
  get pausedMs(): number {
    return Math.max(0, this.#pausedUntil - performance.now())
  }

  /**
   * Takes a permit. Returns undefined when it was free at once; otherwise a promise that rejects
   * with {@link AttemptFailed} when the call is aborted, out of time, or one too many.
   */
  take(lane: Lane, options: TakeOptions): Promise<void> | undefined {
    if (this.#closed) throw new AttemptFailed({ kind: 'closed' })
    refuseAborted(options.signal)
    if (this.#limiter === undefined && this.#queued === 0 && this.#holdMs() <= 0) {
      this.#permitted()
      return undefined
    }
    const pauseMs = this.pausedMs
    if (pauseMs >= options.remainingMs) throw new AttemptFailed({ kind: 'paused', retryAfterMs: pauseMs })
    if (this.#queued >= this.#parts.maxQueued) throw new AttemptFailed({ kind: 'queue-full' })
    const granted = this.#enqueue(lane, options)
    // Whoever was told of the queue may have given the call up by now, and a pump for nobody never ends.
    if (this.#queued > 0 && this.#pump === undefined) void this.#run()
    return granted
  }

  /** A permitted request went out, or ended without. */
  sent(): Sent {
    this.#giveBack()
    return this.#spacing.sent(performance.now())
  }

  /** A request that went out was answered. @param wallMs for `Retry-After` as a date. */
  answered(sent: Sent, { status, headers }: TransportResponse, wallMs: () => number): void {
    const now = performance.now()
    const { counted: from } = this.#spacing
    if (status === 429) {
      this.#ahead = {}
      const askedMs = retryAfterMs(headers.get('retry-after'), wallMs())
      this.pause(this.#spacing.refused(sent, askedMs, now))
    } else {
      this.#spacing.answered(sent, now)
      const { permittedAt } = this.#ahead ?? {}
      if (permittedAt !== undefined && sent.at >= permittedAt) {
        this.#ahead = undefined
        this.#lookAgain?.()
      }
    }
    const { counted: to } = this.#spacing
    if (from === to) return
    const { observer } = this.#parts
    observer?.tell('merchant-gateway:budget', { client: observer.client, kind: 'spacing', from, to })
  }

  /** Nobody is granted a permit for this long. */
  pause(ms: number): void {
    const until = performance.now() + ms
    if (until <= this.#pausedUntil) return
    this.#pausedUntil = until
    const { observer } = this.#parts
    observer?.tell('merchant-gateway:budget', { client: observer.client, kind: 'paused', pauseMs: ms })
  }

  /** Refuses everybody who waits and everybody who comes. */
  close(): void {
    this.#closed = true
    for (const line of this.#lines) {
      while (line.first !== undefined) line.first.refuse(new AttemptFailed({ kind: 'closed' }))
    }
  }

  #enqueue(lane: Lane, options: TakeOptions): Promise<void> {
    const line = this.#lines.find(({ name }) => name === lane)
    if (line === undefined) throw new RangeError(`no lane ${lane}`)
    return new Promise((resolve, reject) => {
      line.add(new Waiter(this, line, options, resolve, reject), options.again ?? false)
      this.#queued++
      this.#tell('queued', line)
      if (!isHeldBack(lane)) this.#lookAgain?.()
    })
  }

  /** @internal A waiter has been granted or refused. */
  left(waiter: Waiter, how: 'granted' | 'left'): void {
    const { line } = waiter
    line.remove(waiter)
    this.#queued--
    this.#tell(how, line)
    if (this.#queued > 0) return
    this.#lookAgain?.()
    this.#pump?.abort()
    // Whoever comes next starts a new one, and does not rely on one that is ending.
    this.#pump = undefined
  }

  #tell(kind: 'queued' | 'granted' | 'left', { name, depth }: Line): void {
    const { observer } = this.#parts
    if (observer?.wants('merchant-gateway:budget') !== true) return
    observer.tell('merchant-gateway:budget', { client: observer.client, kind, lane: name, depth })
  }

  /** Asks for one permit after another, as long as somebody waits, and hands each to whoever is next. */
  async #run(): Promise<void> {
    const pump = new AbortController()
    this.#pump = pump
    while (!pump.signal.aborted) {
      const holdMs = this.#holdMs()
      if (holdMs > 0) {
        await this.#wait(holdMs)
        continue
      }
      let failure: AttemptFailed | undefined
      try {
        await this.#limiter?.acquire(pump.signal)
      } catch (cause) {
        failure = new AttemptFailed({ kind: 'limiter', cause })
      }
      if (failure !== undefined) {
        if (!pump.signal.aborted) this.#next()?.first?.refuse(failure)
      } else if (pump.signal.aborted || this.pausedMs > 0) {
        // Nobody waits any more, or a pause began meanwhile: what was granted before it is too old after it.
        this.#giveBack()
      } else {
        this.#grant(this.#next())
      }
    }
  }

  #grant(line: Line | undefined): void {
    if (line?.first === undefined) {
      this.#giveBack()
      return
    }
    for (const other of this.#lines) if (other.depth > 0) other.passedOver++
    line.passedOver = 0
    this.#permitted()
    line.first.grant()
  }

  #permitted(): void {
    if (this.#ahead !== undefined) this.#ahead.permittedAt = performance.now()
  }

  #next(): Line | undefined {
    return nextLane(this.#lines.filter(({ depth }) => depth > 0))
  }

  /** For how long nobody may be granted a permit, as things are now. */
  #holdMs(): number {
    const { pausedMs } = this
    if (pausedMs > 0) return pausedMs
    // After a pause permits leave one at a time, until one of them was answered by something else, or is late.
    const { permittedAt = Number.NEGATIVE_INFINITY } = this.#ahead ?? {}
    const aloneMs = permittedAt + mostAloneMs - performance.now()
    if (aloneMs > 0) return aloneMs
    const name = this.#next()?.name
    return name !== undefined && isHeldBack(name) && this.#isAlone() ? (this.#parts.alone?.[name]() ?? 0) : 0
  }

  #isAlone(): boolean {
    return this.#lines.every(({ name, depth }) => depth === 0 || isHeldBack(name))
  }

  /** Ends early when there is reason to look again, and leaves no timer when nobody waits any more. */
  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#lookAgain = undefined
        resolve()
      }
      const timer = setTimeout(end, Math.ceil(Math.min(ms, longestMs)))
      this.#lookAgain = end
    })
  }

  /** The limiter is somebody else's, and what it thinks of it can't undo a request that went out. */
  #giveBack(): void {
    try {
      forgive(this.#limiter?.sent?.())
    } catch {
      // See above.
    }
  }
}

/** What comes in bursts, and must not leave the next create without a permit for a second. */
function isHeldBack(lane: Lane): lane is 'callback' | 'poll' {
  return lane === 'callback' || lane === 'poll'
}

/** How long the first request after a 429 goes alone, while it has no answer. */
const mostAloneMs = 1000
