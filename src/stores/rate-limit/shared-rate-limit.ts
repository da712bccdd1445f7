import { wait } from '../../client/input/wait.js'
import type { Limiter, Permit, PermitRequest } from '../../index.js'
import { ProcessShare } from './process-share.js'
import { paceOf } from './reservation.js'
import { type Reserved, type Slot, SlotSource } from './slot-source.js'
import { RateLimitStoreError, reportAway, reportBack, type SharedText } from './store.js'
import { mostLateMs } from './timing.js'

/** How long calls wait for a store that is away, where no share is declared. */
const patienceMs = 5000
/** Between two tries to reach a store that is away, at most. */
const longestRetryMs = 250
/** After the store is back, all keep to a share for so long, since others may not have seen it yet. */
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
  /** Or when it gave its last slot of use. */
  readonly since: number
  readonly triedAt: number
}

interface UnsentPermit extends Permit {
  /** Undefined for a permit of the process's own share. */
  readonly slot: Slot | undefined
  readonly dueAt: number
  readonly sent: Promise<void>
  readonly notifySent: () => void
}

/** A limiter over slots that a store reserves for all processes, one after another. */
export class SharedRateLimit implements Limiter {
  readonly #parts: SharedRateLimitParts
  readonly #source: SlotSource
  /** What this process may send while the store is away, where the number of processes is known. */
  readonly #share: ProcessShare | undefined
  readonly #retryMs: number
  readonly #reserved: Slot[] = []
  /** Oldest first. */
  readonly #unsent: UnsentPermit[] = []
  readonly #askFrom: Record<PermitRequest['priority'], number> = { customer: 0, background: 0 }
  #away: Away | undefined
  /** Whether the last slot ended while this process stood still. */
  #hasLost = false
  #sharesUntil = 0
  #pausedUntil = 0

  constructor(parts: SharedRateLimitParts) {
    const { store, requestsPerSecond, processes, storeTimeoutMs: timeoutMs } = parts
    this.#parts = parts
    this.#retryMs = Math.min(longestRetryMs, timeoutMs)
    this.#share = processes === undefined ? undefined : new ProcessShare(requestsPerSecond, processes)
    this.#source = new SlotSource({
      store,
      pace: paceOf(requestsPerSecond),
      processes,
      timeoutMs,
      onReserved: (reserved) => this.#onReserved(reserved),
    })
  }

  async acquire(signal: AbortSignal, { priority }: PermitRequest): Promise<Permit> {
    for (;;) {
      signal.throwIfAborted()
      const slot = this.#reserved.shift()
      if (slot !== undefined) this.#reserveInPlaceOfLost(priority)
      const permit = await (slot === undefined ? this.#ask(priority, signal) : this.#whenDue(slot, signal))
      if (permit !== undefined) return permit
    }
  }

  sent(): void {
    const permit = this.#unsent.shift()
    permit?.notifySent()
    if (permit?.slot === undefined) return
    this.#source.lateness.used(performance.now() - permit.dueAt)
    this.#source.used(permit.slot)
  }

  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms)
    this.#source.pause(ms)
  }

  /** A process that stood still and lost its slot reserves two for once, or it would fall behind. */
  #reserveInPlaceOfLost(priority: PermitRequest['priority']): void {
    if (!this.#hasLost || priority !== 'customer') return
    this.#hasLost = false
    if (this.#reserved.length === 0 && this.#away === undefined) this.#source.requestAhead()
  }

  /** Asks the store when it is worth it. @returns a permit only where the store is away. */
  async #ask(priority: PermitRequest['priority'], signal: AbortSignal): Promise<Permit | undefined> {
    const now = performance.now()
    const unsent = this.#unsent.at(-1)
    // The store has to know when the last one was used before it reserves what follows.
    if (unsent !== undefined && now < unsent.useBefore) {
      await wait(unsent.useBefore - now, signal, unsent.sent)
      return undefined
    }
    const holdMs = this.#worthAskingAt(priority) - now
    if (holdMs > 0) {
      await wait(holdMs, signal, this.#source.underWay)
      return undefined
    }
    const before = this.#away
    const failure =
      before === undefined || this.#share === undefined
        ? await this.#source.request(priority, signal)
        : await this.#source.request('nothing', signal, this.#shareBefore(this.#share, before))
    const isBack = before !== undefined && this.#away === undefined
    const goesOn = !isBack && !signal.aborted
    return failure !== undefined && goesOn ? this.#withoutStore(signal, failure.reason) : undefined
  }

  #worthAskingAt(priority: PermitRequest['priority']): number {
    // The store may not know of the pause, and would give slots that are no use.
    const from = Math.max(this.#pausedUntil, this.#askFrom[priority])
    if (this.#share === undefined) return from
    if (this.#away === undefined) {
      return performance.now() < this.#sharesUntil ? Math.max(this.#share.nextAt, from) : from
    }
    const retryAt = Math.min(this.#away.triedAt + this.#retryMs, this.#shareAt(this.#share))
    return Math.max(retryAt, this.#pausedUntil - this.#parts.storeTimeoutMs)
  }

  /**
   * While it goes on at its share, this process waits for the store until its next permit only. Where it has not asked
   * lately, others may have slots again, and it waits for the response.
   */
  #shareBefore(share: ProcessShare, { triedAt }: Away): number | undefined {
    const isKnown = this.#source.isSlow || performance.now() < triedAt + 2 * this.#retryMs
    return isKnown ? this.#shareAt(share) : undefined
  }

  #shareAt(share: ProcessShare): number {
    return Math.max(share.nextAloneAt, this.#pausedUntil)
  }

  /** The permit of a slot once it is due; nothing when it is over, or when the gateway has said 429 since. */
  async #whenDue(slot: Slot, signal: AbortSignal): Promise<Permit | undefined> {
    for (;;) {
      const now = performance.now()
      const { dueAt, useBefore } = this.#limitsOf(slot, now)
      // Where the store's clock is not known well, a slot may be over before it has begun for sure.
      const isOver = Math.max(dueAt, now) >= useBefore
      const isPaused = dueAt < this.#pausedUntil
      // What a store gives that has just come back is too much beside what was sent meanwhile.
      const isBeyondShare = dueAt < Math.min(this.#sharesUntil, this.#share?.nextAt ?? 0)
      if (isOver || isPaused || isBeyondShare) {
        this.#source.notUsed(slot)
        this.#hasLost = now >= useBefore
        if (this.#hasLost) this.#source.lateness.lost()
        return undefined
      }
      if (dueAt <= now) return this.#permit(slot, dueAt, useBefore)
      // A response may show the store's clock better meanwhile.
      await wait(dueAt - now, signal, this.#source.underWay)
      if (!signal.aborted) continue
      this.#reserved.unshift(slot)
      signal.throwIfAborted()
    }
  }

  /** When a slot has begun for sure, and until when it may be used. */
  #limitsOf({ from, usedBy }: Slot, now: number): { readonly dueAt: number; readonly useBefore: number } {
    const { clock } = this.#source
    const unsureMs = clock.unsureMs(now)
    return { dueAt: clock.local(from) + unsureMs, useBefore: clock.local(usedBy) - unsureMs }
  }

  #permit(slot: Slot | undefined, dueAt: number, useBefore: number): Permit {
    const now = performance.now()
    this.#share?.permitted(now)
    if (slot !== undefined && this.#away !== undefined) this.#away = { ...this.#away, since: now }
    let notifySent = () => {}
    const sent = new Promise<void>((resolve) => {
      notifySent = resolve
    })
    this.#unsent.push({ slot, dueAt, useBefore, sent, notifySent })
    return { useBefore }
  }

  /** A permit of the own share; nothing when it is worth asking the store again. */
  async #withoutStore(signal: AbortSignal, reason: unknown): Promise<Permit | undefined> {
    const now = performance.now()
    const { since } = this.#away ?? this.#goAway(now, reason)
    this.#away = { since, triedAt: now }
    if (this.#share === undefined) return this.#withoutShare(now - since, signal, reason)
    const waitMs = this.#shareAt(this.#share) - now
    // It may have been away for a moment only, and others go on with its slots.
    if (waitMs > this.#retryMs) return undefined
    await wait(waitMs, signal, this.#source.underWay)
    const at = performance.now()
    const isStillAway = this.#away !== undefined && !signal.aborted
    if (!isStillAway || at < this.#shareAt(this.#share)) return undefined
    this.#source.permitted(at)
    return this.#permit(undefined, at, at + mostLateMs)
  }

  async #withoutShare(awayMs: number, signal: AbortSignal, reason: unknown): Promise<undefined> {
    if (awayMs < patienceMs) {
      await wait(this.#retryMs, signal, this.#source.underWay)
      return undefined
    }
    throw new RateLimitStoreError(
      `${this.#parts.store.name}, where the shared rate limit is kept, has not answered in time for ${Math.round(awayMs / 1000)} s; with the option processes, each process would continue at its share.`,
      { cause: reason },
    )
  }

  #goAway(now: number, reason: unknown): Away {
    const { store, onStoreAway } = this.#parts
    reportAway(store, reason, this.#share !== undefined, onStoreAway)
    const { clearingMs, slotNumber, clock } = this.#source
    this.#share?.goAlone(now + clearingMs, slotNumber, -clock.local(0))
    return { since: now, triedAt: now }
  }

  #onReserved({ want, response, slot, isInTime }: Reserved): void {
    const now = performance.now()
    if (response.sharesMs > 0) this.#sharesUntil = Math.max(this.#sharesUntil, now + response.sharesMs)
    if (this.#away !== undefined && isInTime) this.#comeBack(now)
    if (response.retryInMs !== undefined && want !== 'nothing') this.#askFrom[want] = now + response.retryInMs
    if (slot === undefined) return
    // It would come on top of the share.
    if (this.#away !== undefined && this.#share !== undefined) this.#source.notUsed(slot)
    else this.#reserved.push(slot)
  }

  #comeBack(now: number): void {
    this.#away = undefined
    reportBack(this.#parts.store)
    if (this.#share === undefined) return
    this.#sharesUntil = now + returningMs
    this.#source.returning(returningMs)
  }
}

export interface RateLimitPerAccountParts extends Omit<SharedRateLimitParts, 'store'> {
  readonly name?: string | undefined
  readonly storeOf: (name: string) => SharedText
}

/** One limit for each account, or one for all where it has a name. */
export function rateLimitPerAccount({ name, storeOf, ...parts }: RateLimitPerAccountParts): Limiter {
  const limits = new Map<string, SharedRateLimit>()
  const forAccount = (account: string): SharedRateLimit => {
    const key = name ?? account
    const limit = limits.get(key) ?? new SharedRateLimit({ ...parts, store: storeOf(key) })
    limits.set(key, limit)
    return limit
  }
  return Object.assign(forAccount('default'), { forAccount })
}
