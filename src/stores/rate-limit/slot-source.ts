import { randomInt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { jsonOf } from '../../client/input/json.js'
import { wait } from '../../client/input/wait.js'
import { Lateness, mostLateMs } from './lateness.js'
import { isCount, longestLine, longestText, soundLedger } from './ledger.js'
import { gapMs, type Pace } from './pace.js'
import { reserve, type SlotRequest, type SlotResponse } from './reservation.js'
import { RateLimitStoreError, type SharedText } from './store.js'
import { type ClockReading, StoreClock } from './store-clock.js'
import { reportReset } from './store-events.js'

/** So often somebody else may change the ledger between its reading and its writing. */
const mostTries = 40
/** Between two tries, at most, so that those who met there part. */
const mostApartMs = 100
/** How long the ledger stays after it was last written: one that begins anew keeps everybody waiting for a second. */
const keptMs = 30 * 86_400_000
/** From here on a response travels so long that slots have to lie ahead. */
const farMs = 15
/** A call that hangs for so long is given up, and another one is made. */
const hangingMs = 10_000

/** A slot of this process, on the store's clock: not used before `from`, nor after `usedBy`. */
export interface Slot {
  readonly grant: number
  readonly from: number
  readonly usedBy: number
}

/** What the store has responded, late perhaps. */
export interface Reserved {
  readonly want: SlotRequest['want']
  readonly response: SlotResponse
  readonly slot: Slot | undefined
  /** Whether the store kept to the limit of time. */
  readonly isInTime: boolean
}

export interface SlotSourceParts {
  readonly store: SharedText
  readonly pace: Pace
  readonly processes: number | undefined
  readonly timeoutMs: number
  readonly onReserved: (reserved: Reserved) => void
}

/** One try to get a slot: several calls of the store. */
interface Call {
  readonly want: SlotRequest['want']
  readonly report: Report
  readonly startedAt: number
  /** When the store responded last, and its slowest response. */
  respondedAt: number
  slowestMs: number
  settled: Promise<void>
  outcome: 'pending' | 'reserved' | 'failed'
  reason?: unknown
}

/** What the store is told with the next request that reaches it. Times are those of `performance.now()`. */
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
  /** The number, among all slots that were ever reserved, of this process's last one; 0 for none. */
  slotNumber = 0
  readonly #parts: SlotSourceParts
  /**
   * No slot of anybody's is reserved further ahead. Where the number of processes is known, each has a place in the line
   * of which no slot takes more than 1.05 gaps.
   */
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

  /** There while a call is under way; settles when it is over, and doesn't reject. */
  get underWay(): Promise<void> | undefined {
    return this.#call?.settled
  }

  /** Whether the last response came too late. */
  get isSlow(): boolean {
    return this.#slowestMs > this.#parts.timeoutMs
  }

  /** After so long without the store, no slot that it reserved can be in the same window as what is sent now. */
  get clearingMs(): number {
    return this.#aheadMs + this.#parts.pace.windowMs + mostLateMs
  }

  /**
   * Asks the store, or waits for the call that is under way: one that takes too long is not made twice, since each
   * reserves a slot when it gets there at last.
   *
   * @param giveUpAt when to wait no longer, though its limit of time isn't over.
   * @returns why there is no response; undefined where there is one. `reserved` got it then.
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
    do await wait(leftMs(), signal, call.settled)
    while (call.outcome === 'pending' && !signal.aborted && leftMs() > 0)
    // In a process that was busy for long, the timer fires before the response is read that has been there.
    if (call.outcome === 'pending' && !signal.aborted && giveUpAt === undefined) await setImmediate()
    if (call.outcome === 'reserved') return undefined
    return { reason: call.reason ?? new Error(`no response within ${timeoutMs} ms`) }
  }

  /** Asks for one more slot, and doesn't wait for it. */
  requestAhead(): void {
    if (this.#call === undefined) this.#begin('customer')
  }

  /** A slot has been used by now, too late perhaps. */
  used({ grant }: Slot): void {
    this.#add({ used: [[grant, Math.ceil(this.clock.latest(performance.now()))]] })
  }

  notUsed({ grant }: Slot): void {
    this.#add({ used: [[grant, 0]] })
  }

  /** The gateway said 429: the store is told now, or with the next request that reaches it. */
  pause(ms: number): void {
    this.#reportNow({ pausedUntil: performance.now() + ms })
  }

  /** This process comes back from being alone: all keep to their shares for so long. */
  returning(ms: number): void {
    this.#reportNow({ returningUntil: performance.now() + ms })
  }

  /** Something was permitted, to be used until then. */
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
      // Whether the store was told of them nobody knows; it takes no harm from being told twice.
      this.#add(call.report)
    }
    if (this.#call !== call) return
    this.#call = undefined
    const { pausedUntil, returningUntil } = this.#report
    if (call.outcome === 'reserved' && pausedUntil + returningUntil > 0) this.#begin('nothing')
  }

  /** Reads the ledger, applies the rule, and writes what it says unless another process was quicker: then once more. */
  async #reserve(call: Call): Promise<void> {
    const { store, pace } = this.#parts
    for (let tries = 1; tries <= mostTries; tries++) {
      const askedAt = performance.now()
      const { now, text, version } = await store.read(longestText(pace.slots))
      const respondedAt = this.#responded(call)
      if (!isCount(now)) throw new RateLimitStoreError(`the clock of ${store.name} shows no time`)
      // The first call opens a connection as a rule, and says little about the clock.
      if (this.#known.id === 0 && tries === 1 && respondedAt - askedAt > farMs) continue
      // Another call was begun meanwhile. Nobody waits for this one, so that nothing is written.
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
    // Half of the way back from what was read, and the way there and back of what is written.
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
