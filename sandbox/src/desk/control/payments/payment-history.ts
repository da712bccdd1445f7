import type { Delivery } from '../../../gateway/callbacks/delivery-log.js'
import type { Ledger } from '../../../gateway/engine/ledger.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { MagicAmount } from '../../../gateway/faults/magic-amounts.js'
import type { Payment } from '../../../gateway/payments/payment.js'
import type { Mask } from '../mask/mask.js'
import type {
  CallbackEntry,
  Entry,
  Forced,
  PaymentHistory,
  RequestEntry,
  StatusEntry,
  Token,
} from '../messages/payments.js'
import type { PageParts } from '../parts/parts.js'
import { createDifferences } from './create-differences.js'
import { row } from './listing.js'
import { sentenceOf } from './sentence.js'
import { signatureOf } from './signature-verdict.js'

const MOST_ENTRIES = 400
/** So many from the beginning are always shown: how a history began is what its reader asks for. */
const FIRST_ENTRIES = 100
// At the same millisecond: what changes something, the change, its callback, and who looks at it.
const rank = { status: 1, callback: 2 } as const

function rankOf(entry: Entry): number {
  if (entry.type !== 'request') return rank[entry.type]
  return entry.method === 'POST' ? 0 : 3
}

/** Everything that happened to one payment, as far as the logs still hold it. */
export function historyOf(payment: Payment, parts: PageParts, mask: Mask): PaymentHistory {
  const { ledger, log, callbacks } = parts
  const magic = ledger.magic(payment.request)
  const by = magic === undefined ? '' : magicValue(magic, payment)
  const entries: Entry[] = [
    ...log.about(payment.kind, payment.id).map((request) => requestEntry(request, ledger, by, mask)),
    ...statusEntries(payment),
    ...callbacks.deliveriesAbout(payment).map((delivery) => callbackEntry(delivery, by, mask)),
  ]
  entries.sort((a, b) => a.at - b.at || rankOf(a) - rankOf(b))
  const shown = details(payment, parts, mask)
  return {
    payment: shown,
    magic: magic === undefined ? null : { by, meaning: magic.meaning },
    sentence: sentenceOf(shown, entries, magic === undefined ? null : { by, meaning: magic.meaning }),
    notes: payment.notes,
    ...withoutMiddle(entries),
  }
}

function withoutMiddle(entries: readonly Entry[]): Pick<PaymentHistory, 'entries' | 'omitted' | 'omittedAt'> {
  const omitted = Math.max(0, entries.length - MOST_ENTRIES)
  const kept = [...entries.slice(0, FIRST_ENTRIES), ...entries.slice(FIRST_ENTRIES + omitted)]
  return { entries: kept, omitted, omittedAt: FIRST_ENTRIES }
}

/** Which of a payment's values is the magic one. */
function magicValue({ amount, operatorCode }: MagicAmount, { request }: Payment): string {
  const isByOperator = operatorCode !== undefined && operatorCode === request.paymentOperatorCode
  return isByOperator ? `operator code ${operatorCode}` : `amount ${amount}`
}

function details(payment: Payment, parts: PageParts, mask: Mask): PaymentHistory['payment'] {
  const { request, reference, processedAt, callbackUrl } = payment
  const { accountName, accountNumber } = request.account ?? {}
  const account = [accountName, accountNumber].filter(Boolean).join(' · ')
  return {
    ...row(payment, parts.callbacks),
    operator: request.paymentOperatorCode ?? null,
    account: account === '' ? null : mask.text(account),
    reference,
    expireAt: payment.kind === 'payin' ? Date.parse(payment.expireAt) : null,
    processedAt: processedAt === undefined ? null : Date.parse(processedAt),
    callbackUrl: callbackUrl === undefined ? null : mask.url(callbackUrl),
    returnUrl: request.returnUrl === undefined ? null : mask.url(request.returnUrl),
  }
}

/** What became of an answer that a fault kept from arriving whole. */
const broken = { drop: 'reset', 'cut-body': 'cut', 'stall-body': 'cut', stall: 'none' } as const

function arrivalOf({ ending, delivery }: LoggedRequest): RequestEntry['arrival'] {
  if (ending !== undefined && ending !== 'whole') return broken[ending]
  return delivery === 'whole' || delivery === 'left' ? delivery : 'waiting'
}

function requestEntry(request: LoggedRequest, ledger: Ledger, by: string, mask: Mask): RequestEntry {
  const { at, method, path, headers, status = null, verdict = null, duration } = request
  return {
    type: 'request',
    number: request.number,
    at,
    method,
    path: mask.text(path),
    headers: shownHeaders(headers, mask),
    body: mask.body(request.bodyBytes),
    status,
    verdict,
    arrival: arrivalOf(request),
    tookMs: duration?.clockMs ?? null,
    fault: request.fault === undefined ? null : forced({ kind: request.fault, isMagic: request.isMagic }, by),
    differs: createDifferences(request, ledger) ?? [],
    signature: request.isMint ? signatureOf(request) : null,
    token: tokenOf(request, mask),
  }
}

function forced({ kind, isMagic }: { kind: string; isMagic: boolean }, by: string): Forced {
  return { kind, by: isMagic ? by : 'a fault that was armed' }
}

function shownHeaders(headers: Readonly<Record<string, string>>, mask: Mask): RequestEntry['headers'] {
  return Object.entries(headers).map(([name, value]) => [name, mask.named(name, value)])
}

function tokenOf(request: LoggedRequest, mask: Mask): Token | null {
  const { grant } = request
  if (grant === undefined) return null
  const { idToken: jti, expiresAtMs, scope } = grant
  return {
    made: request.isMint,
    claims: mask.text(JSON.stringify({ jti, exp: expiresAtMs / 1000, ...scope }, null, 2)),
    expiresAt: expiresAtMs,
  }
}

function statusEntries({ changes }: Payment): StatusEntry[] {
  return changes.map(({ status, at, cause }, index) => ({
    type: 'status',
    at,
    status,
    before: changes[index - 1]?.status ?? null,
    cause,
  }))
}

function callbackEntry(
  { callback, origin, request, ...delivery }: Delivery,
  by: string,
  mask: Mask,
): CallbackEntry {
  const { at, attempt, paymentStatus, answer = null, error = null } = callback
  return {
    type: 'callback',
    at,
    attempt,
    paymentStatus,
    answer,
    answerBody: mask.answer(callback.answerBody),
    url: mask.url(callback.url),
    error: error === null ? null : mask.url(error),
    source: origin.source,
    fault: origin.fault === undefined ? null : forced(origin.fault, by),
    isWithheld: delivery.isWithheld,
    method: request?.method ?? 'POST',
    headers: shownHeaders(request?.headers ?? {}, mask),
    body: mask.body(new TextEncoder().encode(request?.body ?? '')),
    tookMs: delivery.tookMs ?? null,
    nextTryAt: delivery.nextTryAt ?? null,
    isGivenUp: delivery.isGivenUp,
  }
}
