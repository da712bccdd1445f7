import { longestMs } from '../../input/durations.js'
import type { Lane } from '../../observe/events.js'
import { ignoreRejection } from '../../observe/ignore-rejection.js'
import type { Observer } from '../../observe/observer.js'
import type { Failure, TransportResponse } from '../failure.js'
import { lanes, nextLane } from './lanes.js'
import type { Limiter } from './limiter.js'
import { retryAfterMs } from './retry-after.js'
import { type Sent, Spacing } from './spacing.js'
import { type TakeOptions, Waiter, WaitingLane } from './waiting-lane.js'

export interface QueueParts {
  readonly limiter?: Limiter | undefined
  /** How many calls may wait. */
  readonly maxQueued: number
  readonly spacing?: Spacing
  /** How long until the next one of these lanes may go while no other waits. */
  readonly heldBackMs?: Record<HeldBackLane, () => number>
  readonly observer?: Observer
}

/**
 * The one queue in front of the limiter. Every request of a client passes here, retries and token
 * requests included.
 */
export class PermitQueue {
  readonly #parts: QueueParts
  readonly #limiter: Limiter
  readonly #spacing: Spacing
  readonly #lanes = lanes.map((lane) => new WaitingLane(lane))
  #closed = false
  #queued = 0
  /** There while permits are asked for; ends that when the last waiter has gone. */
  #granting: AbortController | undefined
  #pausedUntil = 0
  /** There from a 429 until the first request after its pause is answered; when that was permitted, if it was. */
  #firstAfterPause: { permittedAt?: number } | undefined
  /** Ends the wait between two permits, so that it is looked at again. */
  #lookAgain: (() => void) | undefined

  constructor(parts: QueueParts) {
    this.#parts = parts
    this.#limiter = parts.limiter ?? unlimited
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

  /** Waits for a permit. Resolves to undefined when it is there, else to why it will not come. */
  take(lane: Lane, options: TakeOptions): Promise<Failure | undefined> {
    const refusal = this.#refusal(options)
    if (refusal !== undefined) return Promise.resolve(refusal)
    const granted = this.#enqueue(lane, options)
    // A subscriber to the queue's events may have aborted the call by now, and then nobody waits.
    if (this.#queued > 0 && this.#granting === undefined) void this.#grantPermits()
    return granted
  }

  /** Why a call need not begin to wait. */
  #refusal({ signal, remainingMs }: TakeOptions): Failure | undefined {
    if (this.#closed) return { kind: 'closed' }
    if (signal?.aborted === true) return { kind: 'aborted', sent: false, cause: signal.reason }
    const pauseMs = this.pausedMs
    if (pauseMs > 0 && pauseMs >= remainingMs) return { kind: 'paused', retryAfterMs: pauseMs }
    return this.#hasToWait() && this.#queued >= this.#parts.maxQueued ? { kind: 'queue-full' } : undefined
  }

  /** Without a limit all that were begun together are in the queue for a moment, and wait for a pause only. */
  #hasToWait(): boolean {
    return this.#limiter !== unlimited || this.#holdMs() > 0
  }

  /** A permitted request went out, or ended before that. */
  sent(): Sent {
    this.#notifySent()
    return this.#spacing.sent(performance.now())
  }

  /** A request that went out was answered. @param wallMs for `Retry-After` as a date. */
  answered(sent: Sent, { status, headers }: TransportResponse, wallMs: () => number): void {
    const now = performance.now()
    const { counted: from } = this.#spacing
    if (status === 429) {
      this.#firstAfterPause = {}
      const askedMs = retryAfterMs(headers.get('retry-after'), wallMs())
      this.pause(this.#spacing.refused(sent, askedMs, now))
    } else {
      this.#spacing.answered(sent, now)
      const { permittedAt } = this.#firstAfterPause ?? {}
      if (permittedAt !== undefined && sent.at >= permittedAt) {
        this.#firstAfterPause = undefined
        this.#lookAgain?.()
      }
    }
    const { counted: to } = this.#spacing
    if (from === to) return
    const { observer } = this.#parts
    observer?.publish('merchant-gateway:budget', { client: observer.client, kind: 'spacing', from, to })
  }

  /** Nobody is granted a permit for this long. */
  pause(ms: number): void {
    const until = performance.now() + ms
    if (until <= this.#pausedUntil) return
    this.#pausedUntil = until
    const { observer } = this.#parts
    observer?.publish('merchant-gateway:budget', { client: observer.client, kind: 'paused', pauseMs: ms })
  }

  /** Refuses everybody who waits and everybody who comes. */
  close(): void {
    this.#closed = true
    for (const lane of this.#lanes) {
      for (let { first } = lane; first !== undefined; first = lane.first) first.refuse({ kind: 'closed' })
    }
  }

  #enqueue(name: Lane, options: TakeOptions): Promise<Failure | undefined> {
    const lane = this.#lanes.find((one) => one.name === name)
    if (lane === undefined) throw new RangeError(`no lane ${name}`)
    const isPublished = this.#hasToWait()
    return new Promise((resolve) => {
      lane.add(new Waiter(this, lane, isPublished, options, resolve), options.again ?? false)
      this.#queued++
      if (isPublished) this.#publish('queued', lane)
      if (!isHeldBack(name)) this.#lookAgain?.()
    })
  }

  /** @internal Somebody has been granted a permit, or refused. */
  left(waiter: Waiter, how: 'granted' | 'left'): void {
    const { lane, isPublished } = waiter
    lane.remove(waiter)
    this.#queued--
    if (isPublished) this.#publish(how, lane)
    if (this.#queued === 0) this.#stopGranting()
  }

  /** Nobody waits any more. */
  #stopGranting(): void {
    this.#lookAgain?.()
    this.#granting?.abort()
    // Whoever comes next starts anew, and does not rely on what is ending.
    this.#granting = undefined
  }

  #publish(kind: 'queued' | 'granted' | 'left', { name, depth }: WaitingLane): void {
    const { observer } = this.#parts
    if (observer?.wants('merchant-gateway:budget') !== true) return
    observer.publish('merchant-gateway:budget', { client: observer.client, kind, lane: name, depth })
  }

  /** Asks for one permit after another, as long as somebody waits, and hands each to whoever is next. */
  async #grantPermits(): Promise<void> {
    const granting = new AbortController()
    const { signal } = granting
    this.#granting = granting
    while (!signal.aborted) {
      const holdMs = this.#holdMs()
      if (holdMs > 0) {
        await this.#wait(holdMs)
        continue
      }
      try {
        await this.#limiter.acquire(signal, { priority: this.#onlyHeldBackWait() ? 'bulk' : 'customer' })
      } catch (cause) {
        if (!signal.aborted) this.#next()?.first?.refuse({ kind: 'limiter', cause })
        continue
      }
      // A permit from before a pause is too old after it.
      if (signal.aborted || this.pausedMs > 0) this.#notifySent()
      else this.#grant(this.#next())
    }
  }

  #grant(lane: WaitingLane | undefined): void {
    if (lane?.first === undefined) {
      this.#notifySent()
      return
    }
    for (const other of this.#lanes) if (other.depth > 0) other.passedOver++
    lane.passedOver = 0
    if (this.#firstAfterPause !== undefined) this.#firstAfterPause.permittedAt = performance.now()
    lane.first.grant()
  }

  #next(): WaitingLane | undefined {
    return nextLane(this.#lanes.filter(({ depth }) => depth > 0))
  }

  /** For how long nobody may be granted a permit, as things are now. */
  #holdMs(): number {
    const { pausedMs } = this
    if (pausedMs > 0) return pausedMs
    // After a pause permits leave one at a time, until one of them was answered by something else, or is late.
    const { permittedAt = Number.NEGATIVE_INFINITY } = this.#firstAfterPause ?? {}
    const aloneMs = permittedAt + mostAloneMs - performance.now()
    if (aloneMs > 0) return aloneMs
    const name = this.#next()?.name
    return name !== undefined && isHeldBack(name) && this.#onlyHeldBackWait()
      ? (this.#parts.heldBackMs?.[name]() ?? 0)
      : 0
  }

  #onlyHeldBackWait(): boolean {
    return this.#lanes.every(({ name, depth }) => depth === 0 || isHeldBack(name))
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

  /** Whatever the caller's limiter throws: the request went out, or its permit is not used. */
  #notifySent(): void {
    try {
      ignoreRejection(this.#limiter.sent?.())
    } catch {
      // Nothing follows from it.
    }
  }
}

/** With `rateLimit: false`. */
const unlimited: Limiter = { acquire: () => undefined }

/** What comes in bursts, and must not leave the next create without a permit for a second. */
type HeldBackLane = 'callback' | 'bulk' | 'poll'

function isHeldBack(lane: Lane): lane is HeldBackLane {
  return lane === 'callback' || lane === 'bulk' || lane === 'poll'
}

/** How long the first request after a 429 goes alone, while it has no answer. */
const mostAloneMs = 1000
