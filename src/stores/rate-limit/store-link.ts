import { randomInt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { wait } from '../../client/input/wait.js'
import type { Answer, Ask } from './ask.js'
import { type Asked, askStore, type ClockReading, farMs } from './ask-store.js'
import { type Lateness, mostLateMs } from './lateness.js'
import { gapMs, type Pace } from './pace.js'
import type { SharedText } from './store.js'
import { StoreClock } from './store-clock.js'

/** A call that hangs for so long is given up, and another one is made. */
const hangingMs = 10_000
/** Grants and processes are numbers below it: no two are the same. */
const manyNumbers = 1e13

export interface LinkParts {
  readonly store: SharedText
  readonly pace: Pace
  readonly processes: number | undefined
  readonly timeoutMs: number
  readonly lateness: Lateness
  /** Called with each response, a late one too, with the slot that it reserves, and whether it was in time. */
  readonly onAnswer: (answer: Answer, slot: Slot | undefined, isInTime: boolean) => void
  readonly onUnsound: () => void
}

/** A slot of this process, on the store's clock: not used before `from`, nor after `usedBy`. */
export interface Slot {
  readonly grant: number
  readonly from: number
  readonly usedBy: number
  readonly ledger: number
  /** Whether it was reserved so far ahead that a store which forgets it would give it away again before it is due. */
  readonly isFar: boolean
}

interface Call {
  readonly at: number
  /** When the store answered last; one ask is several calls of it. */
  heardAt: number
  slowestMs: number
  readonly settled: Promise<void>
  outcome: 'pending' | 'answered' | 'failed'
  reason?: unknown
}

/** What the store hears of with the next ask that reaches it. */
interface News {
  readonly used: Ask['used']
  /** On the clock of `performance.now()`, and so is the next. */
  readonly pausedUntil: number
  readonly returningUntil: number
}

const noNews: News = { used: [], pausedUntil: 0, returningUntil: 0 }

/** One ask of the store at a time, within a limit of time, and what is said and remembered along with it. */
export class StoreLink {
  readonly clock = new StoreClock()
  readonly #parts: LinkParts
  readonly #process = randomInt(1, manyNumbers)
  #call: Call | undefined
  #known = { id: 0, count: 0 }
  #news = noNews
  /** The number, among all slots that were ever reserved, of this process's last one; 0 for none. */
  slotNumber = 0
  /** How long the last ask took, and the slowest call of it. */
  #travelMs = 0
  #slowestMs = 0
  /** When the last permit of this process is used at the latest, on the clock of `performance.now()`. */
  #lastAt = Number.NEGATIVE_INFINITY
  /** How far ahead slots may be reserved, by others too: a place in the line for each, where it is known how many. */
  readonly #aheadMs: number

  constructor(parts: LinkParts) {
    this.#parts = parts
    const { pace, processes } = parts
    this.#aheadMs = processes === undefined ? 2 * pace.windowMs : (processes + 1) * gapMs(pace)
  }

  /** There while a call is under way; settles when it is answered or fails, and doesn't reject. */
  get underWay(): Promise<void> | undefined {
    return this.#call?.settled
  }

  get isSlow(): boolean {
    return this.#slowestMs > this.#parts.timeoutMs
  }

  /** So long before a slot is due it is early enough to check whether the store still has it, and late enough. */
  get recheckMs(): number {
    return gapMs(this.#parts.pace) + this.#travelMs
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
   * Asks, or waits for the response to what is being asked: a call that takes too long is not made twice, since each
   * one reserves a slot when it gets there at last.
   *
   * @param giveUpAt when to wait no longer, though its limit of time isn't over.
   * @returns `'answered'`; or why there is no response, which is nothing when the signal fired.
   */
  async ask(
    want: Ask['want'],
    signal: AbortSignal,
    giveUpAt?: number,
  ): Promise<'answered' | { readonly reason: unknown }> {
    const hangs = this.#call !== undefined && performance.now() - this.#call.at > hangingMs
    const call = this.#call === undefined || hangs ? this.#begin(want) : this.#call
    const { timeoutMs } = this.#parts
    const until = () => Math.min(call.heardAt + timeoutMs, giveUpAt ?? Number.POSITIVE_INFINITY)
    do await wait(until() - performance.now(), signal, call.settled)
    while (call.outcome === 'pending' && !signal.aborted && until() > performance.now())
    // In a process that was busy for long, the timer fires before the response is read that has been there.
    if (call.outcome === 'pending' && !signal.aborted && giveUpAt === undefined) await setImmediate()
    if (call.outcome === 'answered') return 'answered'
    return { reason: call.reason ?? new Error(`no response within ${timeoutMs} ms`) }
  }

  askAhead(): void {
    if (this.#call === undefined) this.#begin('customer')
  }

  /** The gateway said 429: the store hears of it now, or with the next ask that reaches it. */
  pause(ms: number): void {
    this.#say({ pausedUntil: performance.now() + ms })
  }

  /** The same when this process comes back from being alone: all keep to their shares for so long. */
  returning(ms: number): void {
    this.#say({ returningUntil: performance.now() + ms })
  }

  remember(at: number): void {
    this.#lastAt = Math.max(this.#lastAt, at)
  }

  /** A slot has been used by now, too late perhaps. */
  used({ grant }: Slot): void {
    this.#tell({ used: [[grant, Math.ceil(this.clock.latest(performance.now()))]] })
  }

  notUsed({ grant }: Slot): void {
    this.#tell({ used: [[grant, 0]] })
  }

  #say(news: Partial<News>): void {
    this.#tell(news)
    if (this.#call === undefined) this.#begin('nothing')
  }

  #tell({ used = [], pausedUntil = 0, returningUntil = 0 }: Partial<News>): void {
    this.#news = {
      used: [...this.#news.used, ...used],
      pausedUntil: Math.max(this.#news.pausedUntil, pausedUntil),
      returningUntil: Math.max(this.#news.returningUntil, returningUntil),
    }
  }

  #begin(want: Ask['want']): Call {
    const { store, pace, onUnsound } = this.#parts
    const at = performance.now()
    const news = this.#news
    this.#news = noNews
    const question = (read: ClockReading) =>
      this.#call === call ? this.#question(want, news, read) : undefined
    const isFirst = this.#known.id === 0
    const onHeard = () => {
      const now = performance.now()
      call.slowestMs = Math.max(call.slowestMs, now - call.heardAt)
      call.heardAt = now
    }
    const settled = askStore({ store, slots: pace.slots, isFirst, question, onHeard, onUnsound })
      .then(
        (answer) => {
          onHeard()
          call.outcome = 'answered'
          this.#learn(answer, call)
        },
        (reason: unknown) => {
          call.outcome = 'failed'
          call.reason = reason
          // Whether the store has heard of them nobody knows; it takes no harm from hearing twice.
          this.#tell(news)
        },
      )
      .then(() => {
        if (this.#call !== call) return
        this.#call = undefined
        const { pausedUntil, returningUntil } = this.#news
        if (call.outcome === 'answered' && pausedUntil + returningUntil > 0) this.#begin('nothing')
      })
    const call: Call = { at, heardAt: at, slowestMs: 0, settled, outcome: 'pending' }
    this.#call = call
    return call
  }

  #question(want: Ask['want'], { used, pausedUntil, returningUntil }: News, read: ClockReading): Ask {
    const { slots, windowMs } = this.#parts.pace
    const { answeredAt: now } = read
    this.clock.read(read)
    // Half of the way back from what was read, and the way there and back of what is written.
    const travelMs = 1.5 * (now - read.askedAt)
    return {
      want,
      slots,
      windowMs,
      leadMs: travelMs > farMs ? Math.ceil(Math.min(travelMs, 2 * this.#parts.timeoutMs)) : 0,
      knownId: this.#known.id,
      knownCount: this.#known.count,
      quietMs: Math.max(0, Math.ceil(this.#lastAt + this.clearingMs - now)),
      clearingMs: Math.ceil(this.clearingMs),
      grant: randomInt(1, manyNumbers),
      goodForMs: this.#parts.lateness.goodForMs + Math.ceil(2 * this.clock.unsureMs(now)),
      used,
      process: this.#process,
      pauseMs: Math.max(0, Math.ceil(pausedUntil - now)),
      returningMs: Math.max(0, Math.ceil(returningUntil - now)),
    }
  }

  #learn({ ask, answer }: Asked, { at, slowestMs }: Call): void {
    this.#travelMs = performance.now() - at
    this.#slowestMs = slowestMs
    this.#known = { id: answer.id, count: answer.count }
    const slot = answer.slot === undefined ? undefined : this.#slotOf(answer.slot, answer, ask)
    if (slot !== undefined) {
      this.remember(this.clock.local(slot.usedBy))
      this.slotNumber = answer.count
    }
    this.#parts.onAnswer(answer, slot, !this.isSlow)
  }

  #slotOf(from: number, { now, id: ledger }: Answer, { grant, goodForMs }: Ask): Slot {
    return { grant, from, usedBy: from + goodForMs, ledger, isFar: from - now > this.#aheadMs }
  }
}
