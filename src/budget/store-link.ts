import { randomInt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { type Answer, type Ask, readAnswer } from './ask.js'
import { type Lateness, mostLateMs } from './lateness.js'
import { gapMs, type Pace } from './pace.js'
import type { Slot } from './slot.js'
import type { BudgetStore } from './store.js'
import { StoreClock } from './store-clock.js'
import { wait } from './wait.js'

/** A call that hangs for so long is given up, and another one is made. */
const hangingMs = 10_000
/** From here on an answer travels so long that slots have to lie ahead. */
const farMs = 15
/** Grants are numbers below it: no two processes draw the same one, and 13 digits are written whole by every store. */
const manyGrants = 1e13

export interface LinkParts {
  readonly store: BudgetStore
  readonly pace: Pace
  /** How many processes share, where that is known. */
  readonly processes: number | undefined
  readonly timeoutMs: number
  readonly lateness: Lateness
  /** Each answer, also one that came too late for whoever asked, the slot that it gives, and whether it came in time. */
  readonly onAnswer: (answer: Answer, slot: Slot | undefined, isInTime: boolean) => void
}

interface Call {
  readonly at: number
  readonly settled: Promise<void>
  outcome: 'pending' | 'answered' | 'failed'
  reason?: unknown
}

/** What is said beside what is remembered. */
export type News = Partial<Pick<Ask, 'pauseMs' | 'returningMs'>>

/**
 * This process's side of the conversation with the store: one ask at a time, within a limit of time, what is said
 * beside it, and the memory that goes along with both.
 */
export class StoreLink {
  readonly clock = new StoreClock()
  readonly #parts: LinkParts
  #call: Call | undefined
  #known = { id: 0, count: 0 }
  #ticket = 0
  #used: (readonly [grant: number, usedAt: number])[] = []
  /** When the last permit of this process is used at the latest, on the clock of `performance.now()`. */
  #lastAt = Number.NEGATIVE_INFINITY
  /** How far ahead slots may be reserved, by others too: a place in the line for each, where it is known how many. */
  readonly #aheadMs: number

  constructor(parts: LinkParts) {
    this.#parts = parts
    const { pace, processes } = parts
    this.#aheadMs = processes === undefined ? 2 * pace.windowMs : processes * gapMs(pace)
  }

  /** There while a call is under way; settles when it is answered or fails, and doesn't reject. */
  get underWay(): Promise<void> | undefined {
    return this.#call?.settled
  }

  /** Whether the last answer came too late. */
  get isSlow(): boolean {
    return this.clock.travelMs > this.#parts.timeoutMs
  }

  /** So long before a slot is due it is early enough to look whether the store still has it, and late enough. */
  get lookMs(): number {
    return gapMs(this.#parts.pace) + this.clock.travelMs
  }

  /** Whether the store, when it was last heard of, still kept the ledger in which this slot stands. */
  isKept({ ledger }: Slot): boolean {
    return ledger === this.#known.id
  }

  /** After so long without the store, no slot that it gave can be in the same window as what is sent now. */
  get clearingMs(): number {
    return this.#aheadMs + this.#parts.pace.windowMs + mostLateMs
  }

  /**
   * Asks, or waits for the answer to what is being asked: a call that takes too long is not made twice, since each
   * one reserves a slot when it gets there at last.
   *
   * @param giveUpAt when to wait no longer, though its limit of time isn't over.
   *
   * @returns `'answered'`; or why there is no answer, which is nothing when the signal fired.
   */
  async ask(
    want: Ask['want'],
    signal: AbortSignal,
    giveUpAt?: number,
  ): Promise<'answered' | { readonly reason: unknown }> {
    const hangs = this.#call !== undefined && performance.now() - this.#call.at > hangingMs
    if (this.#call === undefined || hangs) this.#call = this.#begin(want, {})
    const call = this.#call
    const until = Math.min(call.at + this.#parts.timeoutMs, giveUpAt ?? Number.POSITIVE_INFINITY)
    await wait(until - performance.now(), signal, call.settled)
    // In a process that was busy for long, the timer fires before the answer is read that has been there.
    if (call.outcome === 'pending' && !signal.aborted && giveUpAt === undefined) await setImmediate()
    if (call.outcome === 'answered') return 'answered'
    return { reason: call.reason ?? new Error(`no answer within ${this.#parts.timeoutMs} ms`) }
  }

  /** Asks for one more slot, for whoever comes next. */
  askAhead(): void {
    this.#call ??= this.#begin('customer', {})
  }

  /** Says something, and takes no slot. What fails is not said. */
  async say(news: News): Promise<void> {
    await this.#begin('nothing', news).settled
  }

  /** A permit of this process is used by then. */
  remember(at: number): void {
    this.#lastAt = Math.max(this.#lastAt, at)
  }

  /** A slot has been used by now, too late perhaps; the store hears of it with the next ask that reaches it. */
  used({ grant }: Slot): void {
    this.#used.push([grant, Math.ceil(this.clock.latest(performance.now()))])
  }

  /** A slot came to nothing; with the next ask that reaches it the store hears that it is free. */
  notUsed({ grant }: Slot): void {
    this.#used.push([grant, 0])
  }

  #begin(want: Ask['want'], news: News): Call {
    const at = performance.now()
    const ask = this.#question(want, at, news)
    const settled = this.#parts.store
      .ask(ask)
      .then(readAnswer)
      .then(
        (answer) => {
          call.outcome = 'answered'
          this.#learn(answer, at, ask)
        },
        (reason: unknown) => {
          call.outcome = 'failed'
          call.reason = reason
          // Whether the store has heard of them nobody knows; it takes no harm from hearing twice.
          this.#used.unshift(...ask.used)
        },
      )
      .then(() => {
        if (this.#call === call) this.#call = undefined
      })
    const call: Call = { at, settled, outcome: 'pending' }
    return call
  }

  #question(want: Ask['want'], now: number, { pauseMs = 0, returningMs = 0 }: News): Ask {
    const { slots, windowMs } = this.#parts.pace
    const { travelMs } = this.clock
    return {
      want,
      slots,
      windowMs,
      leadMs: travelMs > farMs ? Math.ceil(Math.min(travelMs, this.#parts.timeoutMs)) : 0,
      knownId: this.#known.id,
      knownCount: this.#known.count,
      quietMs: Math.max(0, Math.ceil(this.#lastAt + this.clearingMs - now)),
      clearingMs: Math.ceil(this.clearingMs),
      grant: randomInt(1, manyGrants),
      goodForMs: this.#parts.lateness.goodForMs + Math.ceil(2 * this.clock.unsureAfterAskMs(now)),
      used: this.#used.splice(0),
      ticket: this.#ticket,
      pauseMs: Math.ceil(pauseMs),
      returningMs,
    }
  }

  #learn(answer: Answer, askedAt: number, { want, goodForMs, grant }: Ask): void {
    const isFirst = this.clock.travelMs === 0
    this.clock.read(askedAt, answer.now, performance.now())
    this.#known = { id: answer.id, count: answer.count }
    // What is asked for customers meanwhile changes nothing in bulk's line.
    if (want === 'bulk') this.#ticket = answer.ticket
    const slot = answer.slot > 0 ? this.#slotOf(answer, grant, goodForMs) : undefined
    if (slot !== undefined) this.remember(this.clock.local(slot.usedBy))
    // The first call opens a connection as a rule, and says little about the clock.
    if (isFirst && this.clock.travelMs > farMs) void this.say({})
    this.#parts.onAnswer(answer, slot, !this.isSlow)
  }

  #slotOf({ slot: from, now, id: ledger }: Answer, grant: number, goodForMs: number): Slot {
    return { grant, from, usedBy: from + goodForMs, ledger, isFar: from - now > this.#aheadMs }
  }
}
