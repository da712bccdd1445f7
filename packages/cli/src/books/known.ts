import { isObject } from '../../../../src/client/input/own.js'
import { whyNoId } from '../../../../src/client/input/payment-id.js'
import { InvalidInputError } from '../../../../src/index.js'
import type { Target } from './look-up-payment.js'
import { isMany } from './read-options.js'
import type { Pair } from './sheet.js'
import type { BooksEntry, BooksOpening, CloseBooksOptions, Many, OwnPayment } from './types.js'

/** The payments of one close: as they were at the last one, as your own system has them, and as they are now. */
export class Known {
  readonly #before: ReadonlyMap<string, BooksEntry>
  readonly #now: Map<string, BooksEntry>
  readonly #own = new Map<string, Target>()
  /** Your own statuses that were followed up already. */
  readonly #heard = new Map<string, string | undefined>()
  readonly #seen = new Set<string>()
  readonly #resumed = new Set<string>()
  #isListed = false

  constructor(opening: BooksOpening | undefined) {
    const entries = opening?.payments.map((entry) => [keyOf(entry), entry] as const)
    this.#before = new Map(entries)
    this.#now = new Map(entries)
  }

  /** What a close that was cut off had seen. */
  async resume(entries: Many<BooksEntry>, check: (entry: unknown) => BooksEntry): Promise<void> {
    for await (const entry of entries) {
      const checked = check(entry)
      this.#now.set(keyOf(checked), checked)
      this.#resumed.add(keyOf(checked))
    }
  }

  /** Your own payments, in each round those that there are by then; an iterable can be read once. */
  async list(payments: CloseBooksOptions['payments']): Promise<void> {
    if (typeof payments !== 'function' && this.#isListed) return
    this.#isListed = true
    const listed = typeof payments === 'function' ? await payments() : payments
    if (!isMany(listed)) throw wrong('gave no iterable', 'payments')
    for await (const own of listed) {
      const target = targetOf(own)
      this.#own.set(keyOf(target), target)
    }
  }

  /** What is to be looked up: what is open, new, or has a status that is news; and what was final, to look back. */
  due(looksBack: boolean): Target[] {
    const due: Target[] = []
    for (const key of new Set([...this.#now.keys(), ...this.#own.keys()])) {
      const [own, now] = [this.#own.get(key), this.#now.get(key)]
      const isOpen = now === undefined || !now.final
      if (!isOpen && !this.#isNews(key, own?.own?.status) && !(looksBack && !this.#seen.has(key))) continue
      const { kind, id } = now ?? own ?? {}
      if (kind !== undefined && id !== undefined) {
        due.push({ kind, id, own: own?.own, before: this.#before.get(key) ?? now })
      }
    }
    return due
  }

  #isNews(key: string, status: string | undefined): boolean {
    const isResumed = this.#resumed.delete(key)
    const isHeard = this.#heard.has(key) && this.#heard.get(key) === status
    this.#heard.set(key, status)
    return status !== undefined && !isResumed && !isHeard && status !== this.#now.get(key)?.status
  }

  saw(entry: BooksEntry): void {
    const key = keyOf(entry)
    this.#now.set(key, entry)
    this.#seen.add(key)
    this.#heard.set(key, this.#own.get(key)?.own?.status)
  }

  get hasFinal(): boolean {
    return this.entries.some(({ final }) => final)
  }

  /** From now on looking back looks at all of it. */
  forgetSeen(): void {
    this.#seen.clear()
  }

  get pairs(): Pair[] {
    return [...this.#now].map(([key, now]) => ({ before: this.#before.get(key), now }))
  }

  get entries(): BooksEntry[] {
    return [...this.#now.values()]
  }

  /** For the next close: without what ended, or was never there, before this time, and is not in your own list. */
  remembered(sinceMs: number): BooksEntry[] {
    return this.entries.filter(
      (entry) =>
        (!entry.final && entry.status !== undefined) ||
        Date.parse(entry.since) >= sinceMs ||
        this.#own.has(keyOf(entry)),
    )
  }
}

function keyOf({ kind, id }: Pick<BooksEntry, 'kind' | 'id'>): string {
  return `${kind}:${id}`
}

/** @throws {InvalidInputError} for what names no payment. */
function targetOf(own: OwnPayment): Target {
  if (!isObject(own)) throw wrong('is no object with idPayin or idPayout')
  const { idPayin, idPayout, status, money } = own
  const [kind, id] = idPayout === undefined ? (['payin', idPayin] as const) : (['payout', idPayout] as const)
  if (idPayin !== undefined && idPayout !== undefined) throw wrong('has both idPayin and idPayout')
  if (whyNoId(id) !== undefined || typeof id !== 'string')
    throw wrong(`has no ${kind === 'payin' ? 'idPayin or idPayout' : 'idPayout'} that can be one`)
  if (status !== undefined && typeof status !== 'string') throw wrong('has a status that is no text')
  return { kind, id, own: { status, money }, before: undefined }
}

function wrong(why: string, what = 'one of payments'): InvalidInputError {
  return new InvalidInputError(
    `closeBooks: ${what} ${why}; the books are as they were, so correct the list.`,
    { field: 'payments' },
  )
}
