import { InvalidInputError } from 'merchant-gateway'
import { isObject } from '../input/values.js'
import { isMany, readKnown } from './options.js'
import type { KnownPayment, Many, Opening, PaymentRef, ReconcileOptions } from './types.js'

export interface Own {
  readonly status: string | undefined
  readonly money: unknown
}

/** One payment: as your own system has it, as it was at the last run, and as the gateway shows it now. */
export interface Row extends PaymentRef {
  own?: Own
  before?: KnownPayment
  now?: KnownPayment
  /** What your own system had when it was looked up. */
  ownThen?: string | undefined
  /** Whether a run that was cut off had looked it up. */
  isResumed?: boolean
  /** Whether it was looked up since something was unexplained. */
  isSeen?: boolean
}

/** Whether a payment is to be looked up: what is open, new, or has a new status; and what was final, to look back. */
export function isDue({ own, now, ownThen, isSeen }: Row, looksBack: boolean): boolean {
  if (now === undefined || !now.final) return true
  if (looksBack && isSeen !== true) return true
  const isNews = own?.status !== now.status && own?.status !== ownThen
  return own?.status !== undefined && isNews
}

export class Rows {
  readonly #rows = new Map<string, Row>()
  #isListed = false

  constructor(opening: Opening | undefined) {
    for (const known of opening?.payments ?? [])
      Object.assign(this.#rowOf(known), { before: known, now: known })
  }

  get all(): Row[] {
    return [...this.#rows.values()]
  }

  /** What a run that was cut off had seen. */
  async resume(known: Many<unknown>): Promise<void> {
    for await (const one of known) {
      const now = readKnown(one, 'resume')
      Object.assign(this.#rowOf(now), { now, isResumed: true })
    }
  }

  /** Your own payments, in each round those that there are by then; an iterable can be read once. */
  async list(payments: ReconcileOptions['payments']): Promise<void> {
    if (typeof payments !== 'function' && this.#isListed) return
    this.#isListed = true
    const listed: unknown = typeof payments === 'function' ? await payments() : payments
    if (!isMany(listed)) throw wrong('gave no iterable', 'payments')
    for await (const one of listed) {
      const { own, ...ref } = ownOf(one)
      const row = this.#rowOf(ref)
      row.own = own
      if (row.isResumed) row.ownThen ??= own.status
    }
  }

  saw(row: Row, payment: KnownPayment): void {
    row.now = payment
    row.ownThen = row.own?.status
    row.isSeen = true
  }

  /** From now on looking back looks at all of it: what was seen as final may have come back since. */
  forgetSeen(): void {
    for (const row of this.#rows.values()) row.isSeen = false
  }

  #rowOf({ kind, id }: PaymentRef): Row {
    const key = `${kind}:${id}`
    const row = this.#rows.get(key) ?? { kind, id }
    this.#rows.set(key, row)
    return row
  }
}

/** @throws for what names no payment ({@link InvalidInputError}). */
function ownOf(given: unknown): PaymentRef & { readonly own: Own } {
  if (!isObject(given)) throw wrong('is no object with idPayin or idPayout')
  const { idPayin, idPayout, status, money } = given
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
