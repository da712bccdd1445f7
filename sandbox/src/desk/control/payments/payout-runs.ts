import type { Ledger } from '../../../gateway/engine/ledger.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { Payment } from '../../../gateway/payments/payment.js'
import type { ReasonRow, RunRow } from '../messages/payments.js'
import type { PageParts } from '../parts/parts.js'
import { type Create, type Run, runsOf } from './runs.js'

/** A create of a payout: accepted, and then it has a payment, or refused. */
export interface PayoutCreate extends Create {
  readonly payment: Payment | undefined
  readonly refused: LoggedRequest | undefined
}

export type PayoutRun = Run<PayoutCreate>

const MOST_IDS = 5
/** What says nothing about the payout itself: it is asked for again. */
const passing = new Set([401, 403, 404, 408, 409, 429])

/** The runs of payouts, the oldest first, with the creates that were refused as far as the log knows them. */
export function payoutRuns({ ledger, log }: PageParts): PayoutRun[] {
  const accepted = ledger.payouts.list().map((payment): PayoutCreate => {
    return { id: payment.id, at: payment.createdAtMs, payment, refused: undefined }
  })
  const creates = [...accepted, ...refusedCreates(log.toArray(), ledger)]
  return runsOf(creates.sort((a, b) => a.at - b.at))
}

/** The last refusal of each payout that does not exist. */
function refusedCreates(requests: readonly LoggedRequest[], ledger: Ledger): PayoutCreate[] {
  const byId = new Map<string, PayoutCreate>()
  for (const request of requests) {
    const { route, idPayout: id, status = 0, at } = request
    if (route !== 'POST /payouts/{idPayout}' || id === undefined || ledger.payouts.isTaken(id)) continue
    if (status >= 400 && status < 500 && !passing.has(status)) {
      byId.set(id, { id, at: byId.get(id)?.at ?? at, payment: undefined, refused: request })
    }
  }
  return [...byId.values()]
}

export function runRow({ id, startAt, endAt, creates }: PayoutRun, isOpen: boolean): RunRow {
  const accepted = creates.flatMap(({ payment }) => (payment === undefined ? [] : [payment]))
  const counts = new Map<string, number>()
  for (const { status } of accepted) counts.set(status, (counts.get(status) ?? 0) + 1)
  const lastsMs = endAt - startAt
  return {
    kind: 'run',
    id,
    createdAt: startAt,
    accepted: accepted.length,
    refused: creates.length - accepted.length,
    statuses: [...counts].sort(([, a], [, b]) => b - a),
    rate: lastsMs === 0 ? null : ((creates.length - 1) / lastsMs) * 1000,
    lastsMs,
    isOpen,
  }
}

/** The refused creates of a run by their reasons, the most frequent first. */
export function reasonsOf({ id, creates }: PayoutRun): ReasonRow[] {
  const groups = new Map<string, { status: number; reason: string; ids: string[] }>()
  for (const { id: payout, refused } of creates) {
    if (refused === undefined) continue
    const { status = 0, verdict = 'Refused', reason = verdict } = refused
    const group = groups.get(`${status} ${reason}`)
    if (group === undefined) groups.set(`${status} ${reason}`, { status, reason, ids: [payout] })
    else group.ids.push(payout)
  }
  return [...groups.values()]
    .sort((a, b) => b.ids.length - a.ids.length)
    .map(({ status, reason, ids }, index) => {
      const shown = { status, reason, creates: ids.length, ids: ids.slice(0, MOST_IDS) }
      return { kind: 'reason', id: `${id}/${index}`, ...shown }
    })
}
