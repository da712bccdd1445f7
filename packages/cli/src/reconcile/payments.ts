import { InvalidInputError } from 'merchant-gateway'
import { isObject } from '../input/values.js'
import type { Pair } from './compare.js'
import { isMany, readKnown } from './options.js'
import type { KnownPayment, Many, Opening, PaymentRef, ReconcileOptions } from './types.js'

/** A payment that is to be looked up. */
export interface Target extends PaymentRef {
  /** What your own system has of it. */
  readonly own?: { readonly status: string | undefined; readonly money: unknown } | undefined
  readonly before?: KnownPayment | undefined
}

/** The payments of one run: as they were at the last one, as your own system has them, and as they are now. */
export class Payments {
  readonly #before: ReadonlyMap<string, KnownPayment>
  readonly #now: Map<string, KnownPayment>
  readonly #own = new Map<string, Target>()
  /** Your own statuses that were followed up already. */
  readonly #followed = new Map<string, string | undefined>()
  readonly #seen = new Set<string>()
  readonly #resumed = new Set<string>()
  #isListed = false

  constructor(opening: Opening | undefined) {
    const known = opening?.payments.map((one) => [keyOf(one), one] as const)
    this.#before = new Map(known)
    this.#now = new Map(known)
  }

  /** What a run that was cut off had seen. */
  async resume(known: Many<unknown>): Promise<void> {
    for await (const one of known) {
      const checked = readKnown(one, 'resume')
      this.#now.set(keyOf(checked), checked)
      this.#resumed.add(keyOf(checked))
    }
  }

  /** Your own payments, in each round those that there are by then; an iterable can be read once. */
  async list(payments: ReconcileOptions['payments']): Promise<void> {
    if (typeof payments !== 'function' && this.#isListed) return
    this.#isListed = true
    const listed: unknown = typeof payments === 'function' ? await payments() : payments
    if (!isMany(listed)) throw wrong('gave no iterable', 'payments')
    for await (const own of listed) {
      const target = targetOf(own)
      this.#own.set(keyOf(target), target)
    }
  }

  /** What is to be looked up: what is open, new, or has a new status; and what was final, to look back. */
  due(looksBack: boolean): Target[] {
    const due: Target[] = []
    for (const key of new Set([...this.#now.keys(), ...this.#own.keys()])) {
      const [own, now] = [this.#own.get(key)?.own, this.#now.get(key)]
      const isOpen = now === undefined || !now.final
      const target = now ?? this.#own.get(key)
      if (target === undefined) continue
      if (isOpen || this.#hasNewStatus(key, own?.status) || (looksBack && !this.#seen.has(key))) {
        due.push({ kind: target.kind, id: target.id, own, before: this.#before.get(key) ?? now })
      }
    }
    return due
  }

  #hasNewStatus(key: string, status: string | undefined): boolean {
    const isResumed = this.#resumed.delete(key)
    const isFollowed = this.#followed.has(key) && this.#followed.get(key) === status
    this.#followed.set(key, status)
    return status !== undefined && !isResumed && !isFollowed && status !== this.#now.get(key)?.status
  }

  saw(payment: KnownPayment): void {
    const key = keyOf(payment)
    this.#now.set(key, payment)
    this.#seen.add(key)
    this.#followed.set(key, this.#own.get(key)?.own?.status)
  }

  get hasFinal(): boolean {
    return this.all.some(({ final }) => final)
  }

  /** From now on looking back looks at all of it. */
  forgetSeen(): void {
    this.#seen.clear()
  }

  get pairs(): Pair[] {
    return [...this.#now].map(([key, now]) => ({ before: this.#before.get(key), now }))
  }

  get all(): KnownPayment[] {
    return [...this.#now.values()]
  }

  /** For the next run: without what ended, or was never there, before this time, and is not in your own list. */
  remembered(sinceMs: number): KnownPayment[] {
    return this.all.filter(
      (one) =>
        (!one.final && one.status !== undefined) ||
        Date.parse(one.since) >= sinceMs ||
        this.#own.has(keyOf(one)),
    )
  }
}

function keyOf({ kind, id }: PaymentRef): string {
  return `${kind}:${id}`
}

/** @throws {InvalidInputError} for what names no payment. */
function targetOf(own: unknown): Target {
  if (!isObject(own)) throw wrong('is no object with idPayin or idPayout')
  const { idPayin, idPayout, status, money } = own
  if (idPayin !== undefined && idPayout !== undefined) throw wrong('has both idPayin and idPayout')
  const id = idPayout ?? idPayin
  if (typeof id !== 'string' || id === '') throw wrong('has no idPayin or idPayout that can be one')
  if (status !== undefined && typeof status !== 'string') throw wrong('has a status that is no text')
  return { kind: idPayout === undefined ? 'payin' : 'payout', id, own: { status, money } }
}

function wrong(why: string, what = 'one of payments'): InvalidInputError {
  return new InvalidInputError(
    `reconcileBalances: ${what} ${why}; nothing was changed, so correct the list and run it again.`,
    { field: 'payments' },
  )
}
