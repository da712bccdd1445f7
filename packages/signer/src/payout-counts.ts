import type { Micros } from './money.js'

/** A payout that a token is asked for. */
export interface Payout {
  readonly id: string
  readonly amount: Micros
  readonly currencyCode: string
}

/** The payouts that end in one minute: so there are 1,440 sums of a day, however many payouts it has. */
interface Minute {
  /** Since 1970. */
  readonly number: number
  sum: Micros
  readonly ids: Set<string>
}

const minuteMs = 60_000
export const dayMs = 86_400_000

/**
 * The payouts of one currency, of the last day at least. Each id counts once: with the greatest amount that was asked
 * for it, until the last token for it ends.
 */
export class PayoutCounts {
  readonly #payouts = new Map<string, { readonly amount: Micros; readonly minute: Minute }>()
  readonly #minutes = new Map<number, Minute>()

  /** What a payout comes to with all others that end at this time or later. */
  sumWith({ id, amount }: Payout, fromMs: number): { readonly sum: Micros; readonly count: number } {
    const first = Math.floor(fromMs / minuteMs)
    const before = this.#payouts.get(id)
    let sum = greater(amount, before?.amount)
    let count = 1
    for (const minute of this.#minutes.values()) {
      if (minute.number < first) continue
      sum += minute.sum
      count += minute.ids.size
    }
    if (before === undefined || before.minute.number < first) return { sum, count }
    return { sum: sum - before.amount, count: count - 1 }
  }

  add({ id, amount }: Payout, until: number, nowMs: number): void {
    const before = this.#payouts.get(id)
    if (before !== undefined) {
      before.minute.sum -= before.amount
      before.minute.ids.delete(id)
    }
    const last = Math.max(Math.floor(until / minuteMs), before?.minute.number ?? 0)
    const payout = { amount: greater(amount, before?.amount), minute: this.#minute(last, nowMs) }
    payout.minute.sum += payout.amount
    payout.minute.ids.add(id)
    this.#payouts.set(id, payout)
  }

  /** With each new minute, what ended more than a day before is forgotten. */
  #minute(number: number, nowMs: number): Minute {
    const known = this.#minutes.get(number)
    if (known !== undefined) return known
    for (const minute of this.#minutes.values()) {
      if (minute.number >= Math.floor((nowMs - dayMs) / minuteMs)) continue
      for (const id of minute.ids) this.#payouts.delete(id)
      this.#minutes.delete(minute.number)
    }
    const made = { number, sum: 0n, ids: new Set<string>() }
    this.#minutes.set(number, made)
    return made
  }
}

function greater(one: Micros, other: Micros = 0n): Micros {
  return one > other ? one : other
}
