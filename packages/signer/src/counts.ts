import { hash } from 'node:crypto'
import * as z from 'zod/mini'
import { type Micros, microsOf } from './money.js'
import { jsonOf } from './text.js'

/** One line of the log: a decision, or the start of a signer. Times are in milliseconds since 1970. */
const logEntry = z.object({
  /** Its number, from 1 on. */
  n: z.int(),
  at: z.number(),
  did: z.enum(['started', 'allowed', 'refused']),
  /** What was requested: `payout`, `payin`, `operations`; absent where the request could not be read. */
  asks: z.exactOptional(z.string()),
  id: z.exactOptional(z.string()),
  amount: z.exactOptional(z.string()),
  currencyCode: z.exactOptional(z.string()),
  /** Until when the payout can still be made; its id, amount and currency are there then. */
  until: z.exactOptional(z.number()),
  /** The rule that refused the request. */
  rule: z.exactOptional(z.string()),
  /** The SHA-256 of the policy that a signer started with. */
  policy: z.exactOptional(z.string()),
  /** The SHA-256 of the line before. */
  prev: z.string(),
})

/** What a line says, before it has its place in the log. */
export type Entry = Omit<z.infer<typeof logEntry>, 'n' | 'at' | 'prev'>

/** A payout that a token is requested for. */
export interface Payout {
  readonly id: string
  readonly amount: Micros
  readonly currencyCode: string
}

export const dayMs = 86_400_000

/** The payouts of one currency. Each id counts once: with the greatest amount requested, until its last token has ended. */
export class PayoutCounts {
  /** The one that was added last is at the end. */
  readonly #payouts = new Map<string, { readonly amount: Micros; readonly until: number }>()

  /** A payout together with all others that end at this time or later. */
  sumWith({ id, amount }: Payout, fromMs: number): { readonly sum: Micros; readonly count: number } {
    let sum = greater(amount, this.#payouts.get(id)?.amount)
    let count = 1
    for (const [other, payout] of this.#payouts) {
      if (other === id || payout.until < fromMs) continue
      sum += payout.amount
      count += 1
    }
    return { sum, count }
  }

  /** At the beginning, what ended more than a day before is forgotten. */
  add({ id, amount }: Payout, until: number, nowMs: number): void {
    const { amount: least, until: soonest = 0 } = this.#payouts.get(id) ?? {}
    this.#payouts.delete(id)
    this.#payouts.set(id, { amount: greater(amount, least), until: Math.max(until, soonest) })
    for (const [oldest, payout] of this.#payouts) {
      if (payout.until >= nowMs - dayMs) return
      this.#payouts.delete(oldest)
    }
  }
}

function greater(one: Micros, other: Micros = 0n): Micros {
  return one > other ? one : other
}

/** What the lines of a log add up to, one after another. */
export class Counts {
  /** Where the log ends: how many lines there are, the hash of the last one, and the latest time in any. */
  end: Readonly<{ lines: number; hash: string; at: number }> = { lines: 0, hash: '0'.repeat(64), at: 0 }
  readonly #payouts = new Map<string, PayoutCounts>()

  /** The payouts of one currency that tokens were signed for. */
  payouts(currencyCode: string): PayoutCounts {
    return this.#payouts.get(currencyCode) ?? new PayoutCounts()
  }

  /** The line that follows the last one. */
  next(entry: Entry, nowMs: number): string {
    const { lines, hash, at } = this.end
    return JSON.stringify({ n: lines + 1, at: Math.max(nowMs, at), ...entry, prev: hash })
  }

  /**
   * Counts the next line.
   *
   * @throws where it does not follow the line before: one of the two is not as it was written (`Error`).
   */
  add(line: string): void {
    const entry = z.safeParse(logEntry, jsonOf(line)).data
    const n = this.end.lines + 1
    if (entry === undefined || entry.n !== n || entry.prev !== this.end.hash)
      throw new Error(`line ${n} does not follow the line before it: one of them was changed or taken away`)
    const { did, until, id = '', currencyCode = '', amount: decimal = '' } = entry
    const at = Math.max(this.end.at, entry.at)
    if (did === 'allowed' && until !== undefined) {
      const amount = microsOf(decimal)
      if (amount === undefined) throw new Error(`line ${n} has a payout without its amount`)
      const payouts = this.payouts(currencyCode)
      this.#payouts.set(currencyCode, payouts)
      payouts.add({ id, amount, currencyCode }, until, at)
    }
    this.end = { lines: n, hash: hash('sha256', line), at }
  }
}
