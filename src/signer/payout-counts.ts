import type { Micros } from './money.js'

/** A payout that a token is signed for. */
interface Payout {
  readonly id: string
  readonly amount: Micros
}

/** The most that it can be, and until when. */
interface SignedPayout {
  readonly amount: Micros
  readonly until: number
}

/** The payouts that end in one minute. */
interface Minute {
  sum: Micros
  readonly ids: Set<string>
}

export const dayMs = 86_400_000

/** A payout counts to the end of its minute: so there are 1,440 sums of a day, however many payouts it has. */
function minuteOf(ms: number): number {
  return Math.floor(ms / 60_000)
}

/** The payouts of one currency, of the last day at least. Each id counts once. */
export class PayoutCounts {
  readonly #payouts = new Map<string, SignedPayout>()
  readonly #minutes = new Map<number, Minute>()

  /** What a payout comes to with all others that end at this time or later. */
  sumWith({ id, amount }: Payout, fromMs: number): { readonly sum: Micros; readonly count: number } {
    const first = minuteOf(fromMs)
    const before = this.#payouts.get(id)
    let sum = greater(amount, before?.amount)
    let count = 1
    for (const [minute, { sum: ofMinute, ids }] of this.#minutes) {
      if (minute < first) continue
      sum += ofMinute
      count += ids.size
    }
    if (before === undefined || minuteOf(before.until) < first) return { sum, count }
    return { sum: sum - before.amount, count: count - 1 }
  }

  /** The greatest amount that was asked for an id counts, until the last token for it ends. */
  add({ id, amount }: Payout, until: number, nowMs: number): void {
    const before = this.#payouts.get(id)
    if (before !== undefined) {
      const minute = this.#minute(before.until, nowMs)
      minute.sum -= before.amount
      minute.ids.delete(id)
    }
    const payout = { amount: greater(amount, before?.amount), until: Math.max(until, before?.until ?? 0) }
    const minute = this.#minute(payout.until, nowMs)
    minute.sum += payout.amount
    minute.ids.add(id)
    this.#payouts.set(id, payout)
  }

  /** With each new minute, what ended more than a day before is forgotten. */
  #minute(ms: number, nowMs: number): Minute {
    const known = this.#minutes.get(minuteOf(ms))
    if (known !== undefined) return known
    for (const [minute, { ids }] of this.#minutes) {
      if (minute >= minuteOf(nowMs - dayMs)) continue
      for (const id of ids) this.#payouts.delete(id)
      this.#minutes.delete(minute)
    }
    const made = { sum: 0n, ids: new Set<string>() }
    this.#minutes.set(minuteOf(ms), made)
    return made
  }
}

function greater(one: Micros, other: Micros = 0n): Micros {
  return one > other ? one : other
}
