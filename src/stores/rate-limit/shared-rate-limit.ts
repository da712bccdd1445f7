import { channel } from 'node:diagnostics_channel'
import { wait } from '../../client/input/wait.js'
import type { Limiter, Permit, PermitRequest, RateLimitStoreEvent } from '../../index.js'
import type { Answer } from './ask.js'
import { Lateness, mostLateMs } from './lateness.js'
import { ProcessQuota, paceOf } from './pace.js'
import { PendingPermits } from './pending-permits.js'
import { RateLimitStoreError, type SharedText } from './store.js'
import { type Slot, StoreLink } from './store-link.js'
import { warnOfAway, warnOfReset } from './warnings.js'

/** How long calls wait for a store that is away, where no share is declared. */
const patienceMs = 5000
/** Between two tries to reach a store that is away, at most. */
const longestRetryMs = 250
/** After the store is back, everybody keeps to a share for so long, since others may not have seen it yet. */
const returningMs = 5000

export interface SharedRateLimitParts {
  readonly store: SharedText
  readonly requestsPerSecond: number
  readonly processes?: number | undefined
  readonly storeTimeoutMs: number
  readonly onStoreAway?: ((reason: unknown) => void) | undefined
}

/** A store whose responses all come too late is as good as none. */
interface Away {
  /** Since when the store is away, or has given no slot of use. */
  readonly since: number
  /** Until when slots that it gave before may be used by others. */
  readonly clearAt: number
  readonly triedAt: number
}

/** A limiter over slots that the store reserves, one after another, for all processes. */
export class SharedRateLimit implements Limiter {
  readonly #parts: SharedRateLimitParts
  readonly #link: StoreLink
  readonly #quota: ProcessQuota | undefined
  readonly #retryMs: number
  readonly #lateness = new Lateness()
  readonly #reserved: Slot[] = []
  readonly #pending = new PendingPermits()
  /** Whether the last slot was due while this process stood still. */
  #hasLost = false
  #away: Away | undefined
  #sharesUntil = 0
  #bulkFrom = 0
  #pausedUntil = 0
  #hasWarned = false

  constructor(parts: SharedRateLimitParts) {
    const { store, requestsPerSecond, processes, storeTimeoutMs: timeoutMs } = parts
    this.#parts = parts
    this.#retryMs = Math.min(longestRetryMs, timeoutMs)
    this.#quota = processes === undefined ? undefined : new ProcessQuota(requestsPerSecond, processes)
    const pace = paceOf(requestsPerSecond)
    const onAnswer = (answer: Answer, slot: Slot | undefined, isInTime: boolean) =>
      this.#answered(answer, slot, isInTime)
    const onUnsound = () => this.#foundUnsound()
    const lateness = this.#lateness
    this.#link = new StoreLink({ store, pace, processes, timeoutMs, lateness, onAnswer, onUnsound })
  }

  async acquire(signal: AbortSignal, { priority }: PermitRequest): Promise<Permit> {
    for (;;) {
      signal.throwIfAborted()
      const slot = this.#reserved.shift()
      if (slot !== undefined) {
        if (this.#hasLost && priority === 'customer') this.#reserveAnother()
        const permit = await this.#whenDue(slot, signal)
        if (permit !== undefined) return permit
        continue
      }
      // What is late with this request has to be known to the store before it gives the slots that follow.
      if (this.#pending.isWaitedFor) {
        await wait(this.#pending.remainingMs, signal, this.#pending.sent)
        continue
      }
      const holdMs = this.#askFrom(priority) - performance.now()
      if (holdMs > 0) {
        await wait(holdMs, signal, this.#link.underWay)
        continue
      }
      const wasAway = this.#away !== undefined
      const answer = await this.#ask(priority, signal)
      const isBack = wasAway && this.#away === undefined
      if (answer === 'answered' || isBack || signal.aborted) continue
      const permit = await this.#withoutStore(signal, answer.reason)
      if (permit !== undefined) return permit
    }
  }

  sent(): void {
    const slot = this.#pending.shift()
    const now = performance.now()
    this.#quota?.sent(now)
    if (slot === undefined) return
    this.#lateness.used(now - this.#dueAt(slot))
    this.#link.used(slot)
  }

  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms)
    this.#link.pause(ms)
  }

  /**
   * While this process goes on at its share it only checks whether the store keeps up again, and waits no longer for
   * that; but where it has not checked lately, others may have slots again, and it waits for the response, unless the last
   * one came too late as well.
   */
  #ask(priority: PermitRequest['priority'], signal: AbortSignal) {
    if (this.#away === undefined || this.#quota === undefined) return this.#link.ask(priority, signal)
    const isKnown = performance.now() < this.#away.triedAt + 2 * this.#retryMs || this.#link.isSlow
    return this.#link.ask('nothing', signal, isKnown ? this.#ownPermitAt(this.#quota, this.#away) : undefined)
  }

  /**
   * The permit of a slot, once it is due; nothing when that was too long ago, when the gateway has said 429 since, or
   * when the store has forgotten it.
   */
  async #whenDue(slot: Slot, signal: AbortSignal): Promise<Permit | undefined> {
    let isSure = !slot.isFar
    while (this.#dueAt(slot) > performance.now() && !this.#isHopeless(slot)) {
      const recheckInMs = this.#dueAt(slot) - performance.now() - (isSure ? 0 : this.#link.recheckMs)
      // A response that comes meanwhile may show the store's clock better.
      if (isSure || recheckInMs > 0) await wait(recheckInMs, signal, this.#link.underWay)
      else {
        isSure = true
        await this.#link.ask('nothing', signal)
      }
      if (signal.aborted) {
        // The next one who asks in this process can have it.
        this.#reserved.unshift(slot)
        signal.throwIfAborted()
      }
    }
    const now = performance.now()
    const dueAt = this.#dueAt(slot)
    const useBefore = this.#useBefore(slot)
    if (
      now >= useBefore ||
      dueAt >= useBefore ||
      dueAt < this.#pausedUntil ||
      this.#isBeyondShare(dueAt, now) ||
      (slot.isFar && !this.#link.isKept(slot))
    ) {
      this.#link.notUsed(slot)
      this.#hasLost = now >= useBefore
      if (this.#hasLost) this.#lateness.lost()
      return undefined
    }
    return this.#permit(slot, dueAt, useBefore)
  }

  /** Whether it will be over, for all that is known of the store's clock, before it has begun. */
  #isHopeless(slot: Slot): boolean {
    return this.#dueAt(slot) >= this.#useBefore(slot)
  }

  #useBefore({ usedBy }: Slot): number {
    const { clock } = this.#link
    return clock.local(usedBy) - clock.unsureMs(performance.now())
  }

  /** When a slot has begun for sure. */
  #dueAt({ from }: Slot): number {
    const { clock } = this.#link
    return clock.local(from) + clock.unsureMs(performance.now())
  }

  /** A process that stood still and lost its slot reserves two for once, or it would fall behind. */
  #reserveAnother(): void {
    this.#hasLost = false
    if (this.#reserved.length === 0 && this.#away === undefined) this.#link.askAhead()
  }

  /** Shortly after the store has come back, what it gives is too much for what was sent meanwhile. */
  #isBeyondShare(at: number, now: number): boolean {
    return this.#quota !== undefined && now < this.#sharesUntil && at < this.#quota.nextAt
  }

  #permit(slot: Slot | undefined, at: number, useBefore: number): Permit {
    this.#quota?.use(at)
    if (slot !== undefined && this.#away !== undefined) this.#away = { ...this.#away, since: at }
    this.#pending.add(slot, useBefore)
    return { useBefore }
  }

  #askFrom(priority: PermitRequest['priority']): number {
    // The store may not have heard of the pause, or have forgotten it, and would give slots that are no use.
    const from = Math.max(this.#pausedUntil, priority === 'background' ? this.#bulkFrom : 0)
    if (this.#quota === undefined) return from
    if (this.#away !== undefined) {
      const soon = Math.min(this.#away.triedAt + this.#retryMs, this.#ownPermitAt(this.#quota, this.#away))
      return Math.max(soon, this.#pausedUntil - this.#parts.storeTimeoutMs)
    }
    return performance.now() < this.#sharesUntil ? Math.max(this.#quota.nextAt, from) : from
  }

  #ownPermitAt(quota: ProcessQuota, { clearAt }: Away): number {
    return Math.max(quota.nextAloneAt, clearAt, this.#pausedUntil)
  }

  /** A permit of the own share; nothing when it is worth asking the store again. */
  async #withoutStore(signal: AbortSignal, reason: unknown): Promise<Permit | undefined> {
    const { store } = this.#parts
    const now = performance.now()
    const away = { ...(this.#away ?? this.#goAway(now, reason)), triedAt: now }
    this.#away = away
    if (this.#quota === undefined) {
      const awayMs = now - away.since
      if (awayMs < patienceMs) {
        await wait(this.#retryMs, signal, this.#link.underWay)
        return undefined
      }
      throw new RateLimitStoreError(
        `${store.name}, where the shared rate limit is kept, has not answered in time for ${Math.round(awayMs / 1000)} s; with the option processes, each process would continue at its share.`,
        { cause: reason },
      )
    }
    const waitMs = this.#ownPermitAt(this.#quota, away) - now
    // It may have been away for a moment, of which those know nothing who did not ask: they go on with its slots.
    if (waitMs > this.#retryMs) return undefined
    await wait(waitMs, signal, this.#link.underWay)
    const at = performance.now()
    if (signal.aborted || this.#away === undefined || at < this.#ownPermitAt(this.#quota, away))
      return undefined
    this.#link.remember(at)
    return this.#permit(undefined, at, at + mostLateMs)
  }

  #goAway(now: number, reason: unknown): Away {
    this.#publish('store-away')
    const { onStoreAway } = this.#parts
    try {
      if (onStoreAway === undefined) warnOfAway(this.#parts.store, reason, this.#quota !== undefined)
      else onStoreAway(reason)
    } catch {
      // A listener that throws must not fail a payment.
    }
    const clearAt = now + this.#link.clearingMs
    const { slotNumber, clock } = this.#link
    const firstAt = this.#quota?.firstAloneAt(clearAt, slotNumber, -clock.local(0)) ?? clearAt
    return { since: now, clearAt: firstAt, triedAt: now }
  }

  #answered({ comeInMs, sharesMs }: Answer, slot: Slot | undefined, isInTime: boolean): void {
    const now = performance.now()
    this.#sharesUntil = Math.max(this.#sharesUntil, now + sharesMs)
    if (this.#away !== undefined && isInTime) this.#comeBack(now)
    if (comeInMs !== undefined) this.#bulkFrom = now + comeInMs
    if (slot === undefined) return
    // It would come on top of the share.
    if (this.#away !== undefined && this.#quota !== undefined) this.#link.notUsed(slot)
    else this.#reserved.push(slot)
  }

  #comeBack(now: number): void {
    this.#away = undefined
    this.#publish('store-back')
    if (this.#quota === undefined) return
    this.#sharesUntil = now + returningMs
    this.#link.returning(returningMs)
  }

  #foundUnsound(): void {
    this.#publish('store-reset')
    if (!this.#hasWarned) warnOfReset(this.#parts.store)
    this.#hasWarned = true
  }

  #publish(kind: RateLimitStoreEvent['kind']): void {
    const event: RateLimitStoreEvent = { kind, store: this.#parts.store.name }
    channel('merchant-gateway:rate-limit').publish(event)
  }
}
