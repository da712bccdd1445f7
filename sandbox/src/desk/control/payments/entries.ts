import type { Attempt } from '../../../gateway/callbacks/delivery-log.js'
import type { Ledger } from '../../../gateway/engine/ledger.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { Payment } from '../../../gateway/payments/payment.js'
import type { Mask } from '../mask.js'
import type { PageParts } from '../parts.js'
import { requestMeaning } from '../requests/request-row.js'
import { createDifferences } from './create-differences.js'
import { row } from './listing.js'
import { signatureOf } from './signature-verdict.js'

/** A payment in full. */
export type PaymentDetails = ReturnType<typeof paymentDetails>
export type Entry = RequestEntry | StatusEntry | CallbackEntry
export type RequestEntry = ReturnType<typeof requestEntry>
export type StatusEntry = ReturnType<typeof statusEntries>[number]
export type CallbackEntry = ReturnType<typeof callbackEntry>
/** A fault, and what forced it: `amount 5001`, or a fault that was armed. */
export type Forced = ReturnType<typeof forced>
/** What a token says about itself; never the token. */
export type Token = NonNullable<ReturnType<typeof tokenOf>>

export function paymentDetails(payment: Payment, parts: PageParts, mask: Mask) {
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

/** What of the answer the client got: `none` is silence on an open connection; with `left` it had gone before. */
function arrivalOf({
  ending,
  delivery,
}: LoggedRequest): (typeof broken)[keyof typeof broken] | 'whole' | 'left' | 'waiting' {
  if (ending !== undefined && ending !== 'whole') return broken[ending]
  return delivery === 'whole' || delivery === 'left' ? delivery : 'waiting'
}

/** @param by which value of the payment is the magic one */
export function requestEntry(request: LoggedRequest, ledger: Ledger, by: string, mask: Mask) {
  const { at, method, path, headers, status = null, verdict = null, duration } = request
  const { what, isHarmless } = requestMeaning(request, ledger, mask)
  return {
    type: 'request' as const,
    /** Its number among the requests. */
    number: request.number,
    at,
    method,
    path: mask.text(path),
    headers: shownHeaders(headers, mask),
    body: mask.body(request.bodyBytes),
    status,
    /** `OK`, or the code of the refusal. */
    verdict,
    arrival: arrivalOf(request),
    /** What it means, in a sentence or two. */
    what,
    /** Whether nothing has to be done after it, although it was refused. */
    isHarmless,
    tookMs: duration?.clockMs ?? null,
    fault: request.fault === undefined ? null : forced({ kind: request.fault, isMagic: request.isMagic }, by),
    /** In what a repeated create differs from the payment; empty when it asks for the same. */
    differs: createDifferences(request, ledger) ?? [],
    /** Only for requests for a token. */
    signature: request.isMint ? signatureOf(request) : null,
    token: tokenOf(request, mask),
  }
}

function forced({ kind, isMagic }: { kind: string; isMagic: boolean }, by: string) {
  return { kind, by: isMagic ? by : 'a fault that was armed' }
}

export function shownHeaders(headers: Readonly<Record<string, string>>, mask: Mask) {
  return Object.entries(headers).map(([name, value]) => [name, mask.named(name, value)] as const)
}

function tokenOf(request: LoggedRequest, mask: Mask) {
  const { grant } = request
  if (grant === undefined) return null
  const { idToken: jti, expiresAtMs, scope } = grant
  return {
    /** Whether this request made the token, or came with it. */
    made: request.isMint,
    claims: mask.text(JSON.stringify({ jti, exp: expiresAtMs / 1000, ...scope }, null, 2)),
    expiresAt: expiresAtMs,
  }
}

export function statusEntries({ changes }: Payment) {
  return changes.map(({ status, at, cause }, index) => ({
    type: 'status' as const,
    at,
    status,
    before: changes[index - 1]?.status ?? null,
    cause,
  }))
}

export function callbackEntry({ callback, origin, request, ...delivery }: Attempt, by: string, mask: Mask) {
  const { at, attempt, paymentStatus, answer = null, error = null } = callback
  return {
    type: 'callback' as const,
    at,
    attempt,
    paymentStatus,
    /** Null while there is none. */
    answer,
    answerBody: mask.answer(callback.answerBody),
    url: mask.url(callback.url),
    error: error === null ? null : mask.url(error),
    /** What sent it: a change of status, or somebody by hand. */
    source: origin.source,
    fault: origin.fault === undefined ? null : forced(origin.fault, by),
    /** A fault kept it from being sent. */
    isWithheld: delivery.isWithheld,
    method: request?.method ?? 'POST',
    headers: shownHeaders(request?.headers ?? {}, mask),
    body: mask.body(new TextEncoder().encode(request?.body ?? '')),
    /** How long the merchant took. */
    tookMs: delivery.tookMs ?? null,
    nextTryAt: delivery.nextTryAt ?? null,
    isGivenUp: delivery.isGivenUp,
  }
}
