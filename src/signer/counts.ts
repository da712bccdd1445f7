import { createHash } from 'node:crypto'
import { jsonOf } from '../client/input/json.js'
import * as z from '../profile/zod-library.js'
import { type Micros, microsOf } from './money.js'

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

/** A payout that a token was signed for: the most that it can be, and until when. */
export interface SignedPayout {
  readonly id: string
  readonly amount: Micros
  readonly until: number
}

/** What a line of a log says; undefined where it is none. */
export function logEntryOf(line: string): LogEntry | undefined {
  return z.safeParse(logEntry, jsonOf(line)).data
}

/** The hash before the first line. */
const origin = '0'.repeat(64)

export const dayMs = 86_400_000

/** What the lines of a log add up to. Grows by one line at a time, in their order. */
export class Counts {
  #lines = 0
  #head = origin
  #lastAt = 0
  readonly #signed = new Map<string, Map<string, SignedPayout>>()

  /** How many lines there are. */
  get lines(): number {
    return this.#lines
  }

  /** The hash of the last line. */
  get head(): string {
    return this.#head
  }

  /** The latest time in any line. */
  get lastAt(): number {
    return this.#lastAt
  }

  /** Payouts of one currency, of the last day at least. */
  signed(currencyCode: string): Iterable<SignedPayout> {
    return this.#signed.get(currencyCode)?.values() ?? []
  }

  /** What is known of one payout. */
  of(currencyCode: string, id: string): SignedPayout | undefined {
    return this.#signed.get(currencyCode)?.get(id)
  }

  /** The line that goes on from the last one. */
  next(entry: Entry, nowMs: number): string {
    const [n, at] = [this.#lines + 1, Math.max(nowMs, this.#lastAt)]
    return JSON.stringify({ n, at, ...entry, prev: this.#head })
  }

  /** @throws {Error} where the line does not go on from the one before: it, or one before it, is another than was written. */
  add(line: string): void {
    const entry = logEntryOf(line)
    if (entry === undefined || entry.n !== this.#lines + 1 || entry.prev !== this.#head) {
      throw new Error(
        `line ${this.#lines + 1} does not follow the line before it: one of them was changed or taken away`,
      )
    }
    this.#lines += 1
    this.#head = createHash('sha256').update(line).digest('hex')
    this.#lastAt = Math.max(this.#lastAt, entry.at)
    if (entry.did === 'allowed' && entry.until !== undefined) this.#count(entry, entry.until)
  }

  /** Each id once: the greatest amount that was asked for it, until the last token for it ends. */
  #count({ id = '', currencyCode = '', amount: text = '' }: LogEntry, until: number): void {
    const amount = microsOf(text)
    if (amount === undefined) throw new Error(`line ${this.#lines} has a payout without its amount`)
    const ids = this.#signed.get(currencyCode) ?? new Map<string, SignedPayout>()
    this.#signed.set(currencyCode, ids)
    const before = ids.get(id)
    ids.delete(id)
    ids.set(id, {
      id,
      amount: before !== undefined && before.amount > amount ? before.amount : amount,
      until: Math.max(before?.until ?? 0, until),
    })
    for (const [oldest, signed] of ids) {
      if (signed.until >= this.#lastAt - dayMs) break
      ids.delete(oldest)
    }
  }
}
