import { hash } from 'node:crypto'
import { jsonOf } from '../../../src/client/input/json.js'
import * as z from '../../../src/profile/zod-library.js'
import { microsOf } from './money.js'
import { PayoutCounts } from './payout-counts.js'

/** One line of the log: what was decided, or that a signer began. Times are in milliseconds since 1970. */
const logEntry = z.object({
  /** Its number, from 1 on. */
  n: z.int(),
  at: z.number(),
  did: z.enum(['started', 'allowed', 'refused']),
  /** What was asked for: `payout`, `payin`, `operations`; absent where the request could not be read. */
  asks: z.exactOptional(z.string()),
  id: z.exactOptional(z.string()),
  amount: z.exactOptional(z.string()),
  currencyCode: z.exactOptional(z.string()),
  /** Until when a payout can come of it; its id, amount and currency are there then. */
  until: z.exactOptional(z.number()),
  /** Which rule refused it. */
  rule: z.exactOptional(z.string()),
  /** What a signer began with: the SHA-256 of its policy. */
  policy: z.exactOptional(z.string()),
  /** The SHA-256 of the line before. */
  prev: z.string(),
})

export type LogEntry = z.infer<typeof logEntry>

/** What a line says, before it has its place in the log. */
export type Entry = Omit<LogEntry, 'n' | 'at' | 'prev'>

/** What a line of a log says; undefined where it is none. */
export function logEntryOf(line: string): LogEntry | undefined {
  return z.safeParse(logEntry, jsonOf(line)).data
}

/** Where a log ends: how many lines there are, the hash of the last one, and the latest time in any. */
interface End {
  readonly lines: number
  readonly hash: string
  readonly at: number
}

/** What the lines of a log add up to. Grows by one line at a time, in their order. */
export class Counts {
  #end: End = { lines: 0, hash: '0'.repeat(64), at: 0 }
  readonly #payouts = new Map<string, PayoutCounts>()

  get end(): End {
    return this.#end
  }

  /** What tokens were signed for in one currency. */
  payouts(currencyCode: string): PayoutCounts {
    return this.#payouts.get(currencyCode) ?? new PayoutCounts()
  }

  /** The line that goes on from the last one. */
  next(entry: Entry, nowMs: number): string {
    const { lines, hash, at } = this.#end
    return JSON.stringify({ n: lines + 1, at: Math.max(nowMs, at), ...entry, prev: hash })
  }

  /**
   * Counts the next line.
   *
   * @throws {Error} where it does not go on from the one before: it, or one before it, is another than was written.
   */
  add(line: string): void {
    const entry = logEntryOf(line)
    const n = this.#end.lines + 1
    if (entry === undefined || entry.n !== n || entry.prev !== this.#end.hash)
      throw new Error(`line ${n} does not follow the line before it: one of them was changed or taken away`)
    const { did, until, id = '', currencyCode = '', amount: decimal = '' } = entry
    const at = Math.max(this.#end.at, entry.at)
    if (did === 'allowed' && until !== undefined) {
      const amount = microsOf(decimal)
      if (amount === undefined) throw new Error(`line ${n} has a payout without its amount`)
      const payouts = this.payouts(currencyCode)
      this.#payouts.set(currencyCode, payouts)
      payouts.add({ id, amount, currencyCode }, until, at)
    }
    this.#end = { lines: n, hash: hash('sha256', line), at }
  }
}
