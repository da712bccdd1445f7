import { randomInt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { jsonOf } from '../../client/input/values.js'
import { wait } from '../../client/input/wait.js'
import { isCount, longestLine, longestText, soundLedger } from './ledger.js'
import { gapMs, type Pace, reserve, type SlotRequest, type SlotResponse } from './reservation.js'
import { RateLimitStoreError, reportReset, type SharedText } from './store.js'
import { type ClockReading, Lateness, mostLateMs, StoreClock } from './timing.js'

/** So often another process may win the swap. */
const mostTries = 40
/** The longest backoff between two tries. */
const mostApartMs = 100
/** A ledger that begins anew keeps everybody waiting for a second, so it stays for long. */
const keptMs = 30 * 86_400_000
/** A response that travels longer needs a slot that lies ahead. */
const farMs = 15
/** A call that hangs for so long is replaced by another one. */
const hangingMs = 10_000

/** A slot of this process, on the store's clock: not used before `from`, nor after `usedBy`. */
export interface Slot {
  readonly grant: number
  readonly from: number
  readonly usedBy: number
}

export interface Reserved {
  readonly want: SlotRequest['want']
  readonly response: SlotResponse
  readonly slot: Slot | undefined
  readonly isInTime: boolean
}

export interface SlotSourceParts {
  readonly store: SharedText
  readonly pace: Pace
  readonly processes: number | undefined
  readonly timeoutMs: number
  /** Called for each response, also for one that nobody waits for any more. */
  readonly onReserved: (reserved: Reserved) => void
}

/** One try to get a slot: several calls of the store. */
interface Call {
  readonly want: SlotRequest['want']
  readonly report: Report
  readonly startedAt: number
  respondedAt: number
  slowestMs: number
  settled: Promise<void>
  outcome: 'pending' | 'reserved' | 'failed'
  reason?: unknown
}

/** For the next request that reaches the store. Times are those of `performance.now()`. */
interface Report {
  readonly used: SlotRequest['used']
  readonly pausedUntil: number
  readonly returningUntil: number
}

const emptyReport: Report = { used: [], pausedUntil: 0, returningUntil: 0 }

/** Reserves slots in the ledger that the store keeps, one call at a time, and reports what became of them. */
export class SlotSource {
  readonly clock = new StoreClock()
  readonly lateness = new Lateness()
  /** The number of this process's last slot among all that were ever reserved; 0 for none. */
  slotNumber = 0
  readonly #parts: SlotSourceParts
  /** No slot is reserved further ahead. Each process that is known of has a place in the line, of at most 1.05 gaps. */
  readonly #aheadMs: number
  #call: Call | undefined
  #report = emptyReport
  #known = { id: 0, count: 0 }
  #slowestMs = 0
  /** Of background work that waits; 0 for none. */
  #ticket = 0
  /** When the last permit of this process is used at the latest. */
  #lastAt = Number.NEGATIVE_INFINITY

  constructor(parts: SlotSourceParts) {
    this.#parts = parts
    const { pace, processes } = parts
    const { windowMs } = pace
    this.#aheadMs =
      processes === undefined
        ? 2 * windowMs
        : Math.ceil(Math.min((1.05 * processes + 1) * gapMs(pace), (longestLine - 1) * windowMs))
  }

  /** The call that is under way; it doesn't reject. */
  get underWay(): Promise<void> | undefined {
    return this.#call?.settled
  }

  get isSlow(): boolean {
    return this.#slowestMs > this.#parts.timeoutMs
  }

  /** After so long, no slot of the store can be in the same window as what is sent now. */
  get clearingMs(): number {
    return this.#aheadMs + this.#parts.pace.windowMs + mostLateMs
  }

  /**
   * Asks the store, or waits for the call that is under way: a slow one would reserve a slot as well.
   *
   * @param giveUpAt when to wait no longer, though its limit of time isn't over.
   * @returns why there is no response; undefined where there is one.
   */
  async request(
    want: SlotRequest['want'],
    signal: AbortSignal,
    giveUpAt?: number,
  ): Promise<{ readonly reason: unknown } | undefined> {
    const { timeoutMs } = this.#parts
    const hangs = this.#call !== undefined && performance.now() - this.#call.startedAt > hangingMs
    const call = this.#call === undefined || hangs ? this.#begin(want) : this.#call
    const leftMs = () =>
      Math.min(call.respondedAt + timeoutMs, giveUpAt ?? Number.POSITIVE_INFINITY) - performance.now()
    const isAwaited = () => call.outcome === 'pending' && !signal.aborted
    do await wait(leftMs(), signal, call.settled)
    while (isAwaited() && leftMs() > 0)
    // After a busy moment the timer fires before a response is read that has been there.
    if (isAwaited() && giveUpAt === undefined) await setImmediate()
    if (call.outcome === 'reserved') return undefined
    return { reason: call.reason ?? new Error(`no response within ${timeoutMs} ms`) }
  }

  /** Asks for one more slot, and doesn't wait for it. */
  requestAhead(): void {
    if (this.#call === undefined) this.#begin('customer')
  }

  used({ grant }: Slot): void {
    this.#add({ used: [[grant, Math.ceil(this.clock.latest(performance.now()))]] })
  }

  notUsed({ grant }: Slot): void {
    this.#add({ used: [[grant, 0]] })
  }

  /** The gateway said 429. */
  pause(ms: number): void {
    this.#reportNow({ pausedUntil: performance.now() + ms })
  }

  /** The store is back: all keep to their shares for so long. */
  returning(ms: number): void {
    this.#reportNow({ returningUntil: performance.now() + ms })
  }

  permitted(until: number): void {
    this.#lastAt = Math.max(this.#lastAt, until)
  }

  #reportNow(report: Partial<Report>): void {
    this.#add(report)
    if (this.#call === undefined) this.#begin('nothing')
  }

  #add({ used = [], pausedUntil = 0, returningUntil = 0 }: Partial<Report>): void {
    this.#report = {
      used: [...this.#report.used, ...used],
      pausedUntil: Math.max(this.#report.pausedUntil, pausedUntil),
      returningUntil: Math.max(this.#report.returningUntil, returningUntil),
    }
  }

  #begin(want: SlotRequest['want']): Call {
    const startedAt = performance.now()
    const call: Call = {
      want,
      report: this.#report,
      startedAt,
      respondedAt: startedAt,
      slowestMs: 0,
      settled: Promise.resolve(),
      outcome: 'pending',
    }
    this.#report = emptyReport
    this.#call = call
    call.settled = this.#run(call)
    return call
  }

  async #run(call: Call): Promise<void> {
    try {
      await this.#reserve(call)
      call.outcome = 'reserved'
    } catch (reason) {
      call.outcome = 'failed'
      call.reason = reason
      // The store may have got the report, and takes no harm from getting it twice.
      this.#add(call.report)
    }
    if (this.#call !== call) return
    this.#call = undefined
    const { pausedUntil, returningUntil } = this.#report
    if (call.outcome === 'reserved' && pausedUntil + returningUntil > 0) this.#begin('nothing')
  }

  /**
   * Optimistic concurrency: reads the ledger with its version, applies the rule, and writes the result by compare and swap.
   * If another process was quicker, it reads again after a random backoff (full jitter), in which those who met part.
   */
  async #reserve(call: Call): Promise<void> {
    const { store, pace } = this.#parts
    for (let tries = 1; tries <= mostTries; tries++) {
      const askedAt = performance.now()
      const { now, text, version } = await store.read(longestText(pace.slots))
      const respondedAt = this.#responded(call)
      if (!isCount(now)) throw new RateLimitStoreError(`the clock of ${store.name} shows no time`)
      // As a rule the first call opens a connection, and says little about the clock.
      const isFirst = this.#known.id === 0 && tries === 1
      if (isFirst && respondedAt - askedAt > farMs) continue
      // It hung, and another call was begun: nobody waits for a slot of this one.
      if (this.#call !== call) break
      const request = this.#requestOf(call, { now, askedAt, respondedAt })
      const kept = soundLedger(jsonOf(text ?? ''), pace.windowMs, now)
      if (text !== undefined && kept === undefined) reportReset(store)
      const [ledger, response] = reserve(kept, request, now)
      const next = JSON.stringify(ledger)
      if (next === text || (await store.swap({ now, text, version }, next, keptMs))) {
        this.#responded(call)
        this.#take(call, request, response)
        return
      }
      this.#responded(call)
      const apartMs = Math.random() * Math.min(mostApartMs, 1 + 2 * (respondedAt - askedAt))
      await new Promise((resolve) => setTimeout(resolve, apartMs))
    }
    throw new RateLimitStoreError(`what is kept in ${store.name} could not be changed in time`)
  }

  #responded(call: Call): number {
    const now = performance.now()
    call.slowestMs = Math.max(call.slowestMs, now - call.respondedAt)
    call.respondedAt = now
    return now
  }

  #requestOf({ want, report }: Call, reading: ClockReading): SlotRequest {
    const { pace, timeoutMs } = this.#parts
    const { askedAt, respondedAt } = reading
    this.clock.read(reading)
    // Half of the way back of what was read, and the way there and back of what is written.
    const travelMs = 1.5 * (respondedAt - askedAt)
    const untilMs = (at: number) => Math.max(0, Math.ceil(at - respondedAt))
    return {
      want,
      ...pace,
      leadMs: travelMs > farMs ? Math.ceil(Math.min(travelMs, 2 * timeoutMs)) : 0,
      aheadMs: this.#aheadMs,
      ticket: this.#ticket,
      validMs: this.lateness.validMs + Math.ceil(2 * this.clock.unsureMs(respondedAt)),
      grant: randomInt(1, 1e13),
      used: report.used,
      knownId: this.#known.id,
      knownCount: this.#known.count,
      quietMs: untilMs(this.#lastAt + this.clearingMs),
      clearingMs: Math.ceil(this.clearingMs),
      pauseMs: untilMs(report.pausedUntil),
      returningMs: untilMs(report.returningUntil),
    }
  }

  #take({ want, slowestMs }: Call, request: SlotRequest, response: SlotResponse): void {
    const { slot: from, id, count } = response
    this.#slowestMs = slowestMs
    this.#known = { id, count }
    if (want === 'background') this.#ticket = response.ticket ?? 0
    const slot =
      from === undefined ? undefined : { grant: request.grant, from, usedBy: from + request.validMs }
    if (slot !== undefined) {
      this.permitted(this.clock.local(slot.usedBy))
      this.slotNumber = count
    }
    this.#parts.onReserved({ want, response, slot, isInTime: !this.isSlow })
  }
}
