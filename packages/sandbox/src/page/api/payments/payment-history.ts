import type { MagicAmount } from '../../../gateway/faults/magic-amounts.js'
import type { Payment } from '../../../gateway/payments/payment.js'
import type { Mask } from '../mask.js'
import type { PageParts } from '../parts.js'
import { callbackEntry, type Entry, paymentDetails, requestEntry, statusEntries } from './entries.js'
import { summaryOf } from './summary.js'

export type PaymentHistory = ReturnType<typeof historyOf>

const MOST_ENTRIES = 400
/** So many from the beginning are always shown: a reader wants to know how a history began. */
const FIRST_ENTRIES = 100
/** At the same millisecond: a request that changes something, the change, its callback, and a status request. */
const rank = { status: 1, callback: 2 } as const

function rankOf(entry: Entry): number {
  if (entry.type !== 'request') return rank[entry.type]
  return entry.method === 'POST' ? 0 : 3
}

export function historyOf(payment: Payment, parts: PageParts, mask: Mask) {
  const { ledger, log, callbacks } = parts
  const found = ledger.magic(payment.request)
  const by = found === undefined ? '' : magicValue(found, payment)
  const magic = found === undefined ? null : { by, meaning: found.meaning }
  const entries: Entry[] = [
    ...log.about(payment.kind, payment.id).map((request) => requestEntry(request, ledger, by, mask)),
    ...statusEntries(payment),
    ...callbacks.deliveriesAbout(payment).map((delivery) => callbackEntry(delivery, by, mask)),
  ]
  entries.sort((a, b) => a.at - b.at || rankOf(a) - rankOf(b))
  const shown = paymentDetails(payment, parts, mask)
  return {
    payment: shown,
    magic,
    summary: summaryOf(shown, entries, magic),
    notes: payment.notes,
    ...withoutMiddle(entries),
  }
}

/** How many entries are left out, and before which of the entries they would stand. */
function withoutMiddle(entries: readonly Entry[]) {
  const omitted = Math.max(0, entries.length - MOST_ENTRIES)
  const kept = [...entries.slice(0, FIRST_ENTRIES), ...entries.slice(FIRST_ENTRIES + omitted)]
  return { entries: kept, omitted, omittedAt: FIRST_ENTRIES }
}

function magicValue({ amount, operatorCode }: MagicAmount, { request }: Payment): string {
  const isByOperator = operatorCode === request.paymentOperatorCode
  return isByOperator ? `operator code ${operatorCode}` : `amount ${amount}`
}
