import type { CallbackSender } from '../../../gateway/callbacks/sender.js'
import type { Payment } from '../../../gateway/payments/payment.js'
import type { Listing, ListRow, Row } from '../messages/payments.js'
import type { PageParts } from '../parts/parts.js'
import { amountText } from '../text/amount-text.js'
import { type PayoutRun, payoutRuns, reasonsOf, runRow } from './payout-runs.js'

/** Which part of the list is wanted. */
export interface ListingQuery {
  readonly search: string
  readonly offset: number
  readonly limit: number
  /**
   * Rows of which the first that is still there has to stay where it is, whatever came in front of it: each
   * with its place before.
   */
  readonly keep: readonly (readonly [place: number, key: string])[]
  /** Whether the payouts of a run stand under one row. */
  readonly hasRuns: boolean
  /** The ids of the runs that are open. */
  readonly open: ReadonlySet<string>
}

/** A row that is not made yet: only those of the window are. */
interface Item {
  readonly key: string
  readonly row: () => ListRow
}

const haystacks = new WeakMap<Payment, string>()

/** A window of all payments, newest first. Without a search the payouts of a run stand under one row. */
export function listing(parts: PageParts, query: ListingQuery): Listing {
  const { search, offset: asked, limit, keep, hasRuns, open } = query
  const { ledger, callbacks } = parts
  const all = newestFirst(ledger.payins.list(), ledger.payouts.list())
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const asItem = (payment: Payment): Item => ({ key: keyOf(payment), row: () => row(payment, callbacks) })
  const items =
    words.length === 0 && hasRuns
      ? withRuns(all, payoutRuns(parts), open, asItem)
      : all.filter((payment) => fits(payment, words)).map(asItem)
  const shift = shiftOf(items, keep)
  const offset = Math.max(0, asked + shift)
  return {
    held: all.length,
    total: items.length,
    offset,
    shift,
    rows: items.slice(offset, offset + limit).map((item) => item.row()),
  }
}

export function row(payment: Payment, callbacks: CallbackSender): Row {
  const { kind, id, status, money, paymentMethodCode: method, createdAtMs: createdAt } = payment
  const { amount, currencyCode } = money
  return {
    kind,
    id,
    status,
    amount,
    currencyCode,
    method,
    createdAt,
    callbacks: callbacks.healthOf(payment),
    isNoted: payment.notes.length > 0,
  }
}

function keyOf({ kind, id }: Payment): string {
  return `${kind}/${id}`
}

/** Each run stands where it began, so that a run that goes on moves nothing; its payouts stand below it when it is open. */
function withRuns(
  payments: readonly Payment[],
  runs: readonly PayoutRun[],
  open: ReadonlySet<string>,
  asItem: (payment: Payment) => Item,
): Item[] {
  if (runs.length === 0) return payments.map(asItem)
  const inRuns = new Set(runs.flatMap(({ creates }) => creates.map(({ id }) => id)))
  const waiting = runs.toReversed()
  const items: Item[] = []
  const addRunsSince = (at: number) => {
    while (waiting[0] !== undefined && waiting[0].startAt >= at) {
      const run = waiting.shift()
      if (run !== undefined) items.push(...itemsOf(run, open.has(run.id), asItem))
    }
  }
  for (const payment of payments) {
    if (payment.kind === 'payout' && inRuns.has(payment.id)) continue
    addRunsSince(payment.createdAtMs)
    items.push(asItem(payment))
  }
  addRunsSince(Number.NEGATIVE_INFINITY)
  return items
}

function itemsOf(run: PayoutRun, isOpen: boolean, asItem: (payment: Payment) => Item): Item[] {
  const head: Item = { key: `run/${run.id}`, row: () => runRow(run, isOpen) }
  if (!isOpen) return [head]
  const payouts = run.creates.flatMap(({ payment }) => (payment === undefined ? [] : [asItem(payment)]))
  const reasons = reasonsOf(run).map((reason) => ({ key: `reason/${reason.id}`, row: () => reason }))
  return [head, ...reasons, ...payouts.toReversed()]
}

/** By how many rows the first of the kept rows that is still there has moved. */
function shiftOf(items: readonly Item[], keep: ListingQuery['keep']): number {
  const wanted = new Map(keep.map(([place, key]) => [key, place]))
  const moved = new Map<string, number>()
  for (const [index, { key }] of items.entries()) {
    const place = wanted.get(key)
    if (place !== undefined) moved.set(key, index - place)
  }
  const first = keep.find(([, key]) => moved.has(key))
  return first === undefined ? 0 : (moved.get(first[1]) ?? 0)
}

/** Both lists are in the order of their creation, so a merge from their ends is enough. */
function newestFirst(payins: readonly Payment[], payouts: readonly Payment[]): Payment[] {
  const merged: Payment[] = []
  let i = payins.length - 1
  let j = payouts.length - 1
  while (i >= 0 || j >= 0) {
    const payin = payins[i]
    const payout = payouts[j]
    if (payout === undefined || (payin !== undefined && payin.createdAtMs > payout.createdAtMs)) {
      if (payin !== undefined) merged.push(payin)
      i -= 1
    } else {
      merged.push(payout)
      j -= 1
    }
  }
  return merged
}

function fits(payment: Payment, words: readonly string[]): boolean {
  const text = `${haystack(payment)} ${payment.status.toLowerCase()}`
  return words.every((word) => text.includes(word))
}

/** What never changes of a payment, once put together for as long as it lives. */
function haystack(payment: Payment): string {
  const known = haystacks.get(payment)
  if (known !== undefined) return known
  const { kind, id, money, paymentMethodCode, reference, request } = payment
  const { account, emailAddress, paymentOperatorCode } = request
  const { accountName, accountNumber } = account ?? {}
  const { amount, currencyCode } = money
  // The amount as the page writes it, and as it travels: 4,001.00 and 4001.
  const amounts = [amountText(amount, currencyCode), amount]
  const parts = [kind, id, ...amounts, currencyCode, paymentMethodCode, paymentOperatorCode]
  const text = [...parts, reference, accountName, accountNumber, emailAddress].join(' ').toLowerCase()
  haystacks.set(payment, text)
  return text
}
