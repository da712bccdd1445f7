import { createHash } from 'node:crypto'
import { jsonOf } from '../client/input/json.js'
import { isObject } from '../client/input/own.js'
import { type Micros, microsOf } from './money.js'

/** One line of the log: what was decided, or that a signer began. Times are in milliseconds since 1970. */
export interface LogEntry {
  readonly n: number
  readonly at: number
  readonly did: 'started' | 'allowed' | 'refused'
  /** What was asked for: `payout`, `payin`, `operations`; absent where the request could not be read. */
  readonly asks?: string
  readonly id?: string
  readonly amount?: string
  readonly currencyCode?: string
  /** Until when a payout can come of it. */
  readonly until?: number
  /** Why it was refused. */
  readonly rule?: string
  /** What a signer began with: the SHA-256 of its policy. */
  readonly policy?: string
  /** The SHA-256 of the line before. */
  readonly prev: string
}

/** A payout that a token was signed for: the most that it can be, and until when. */
export interface Spent {
  readonly id: string
  readonly amount: Micros
  readonly until: number
}

/** The hash before the first line. */
const origin = '0'.repeat(64)

export const dayMs = 86_400_000

/** What the lines of a log add up to. Grows by one line at a time, in their order. */
export class Counts {
  #lines = 0
  #head = origin
  #lastAt = 0
  readonly #spent = new Map<string, Map<string, Spent>>()

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
  spent(currencyCode: string): Iterable<Spent> {
    return this.#spent.get(currencyCode)?.values() ?? []
  }

  /** What is known of one payout. */
  of(currencyCode: string, id: string): Spent | undefined {
    return this.#spent.get(currencyCode)?.get(id)
  }

  /** @throws {Error} where the line does not go on from the one before: it, or one before it, is another than was written. */
  add(line: string): void {
    const entry = jsonOf(line)
    if (
      !isObject(entry) ||
      entry.n !== this.#lines + 1 ||
      entry.prev !== this.#head ||
      typeof entry.at !== 'number'
    ) {
      throw new Error(
        `line ${this.#lines + 1} does not follow the line before it: one of them was changed or taken away`,
      )
    }
    this.#lines += 1
    this.#head = createHash('sha256').update(line).digest('hex')
    this.#lastAt = Math.max(this.#lastAt, entry.at)
    const { did, id, amount, currencyCode, until } = entry
    const micros = typeof amount === 'string' ? microsOf(amount) : undefined
    if (did !== 'allowed' || typeof id !== 'string' || typeof currencyCode !== 'string') return
    if (micros === undefined || typeof until !== 'number') return
    this.#count(currencyCode, { id, amount: micros, until })
  }

  /** Each id once: the greatest amount that was asked for it, until the last token for it ends. */
  #count(currencyCode: string, { id, amount, until }: Spent): void {
    const ids = this.#spent.get(currencyCode) ?? new Map<string, Spent>()
    this.#spent.set(currencyCode, ids)
    const before = ids.get(id)
    ids.delete(id)
    ids.set(id, {
      id,
      amount: before !== undefined && before.amount > amount ? before.amount : amount,
      until: Math.max(before?.until ?? 0, until),
    })
    for (const [oldest, spent] of ids) {
      if (spent.until >= this.#lastAt - dayMs) break
      ids.delete(oldest)
    }
  }
}
