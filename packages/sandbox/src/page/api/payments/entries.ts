import type { SandboxParts } from '../../../gateway/assemble.js'
import type { Attempt, SandboxCallback } from '../../../gateway/callbacks/attempt.js'
import type { Ledger } from '../../../gateway/engine/ledger.js'
import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { Payment } from '../../../gateway/payments/payment.js'
import { isFromPage } from '../actions/client.js'
import type { Mask } from '../mask.js'
import { createDifferences, requestMeaning } from '../requests/requests.js'
import { rowOf } from './listing.js'

export type PaymentDetails = ReturnType<typeof paymentDetails>
export type Entry = RequestEntry | StatusEntry | CallbackEntry
export type RequestEntry = ReturnType<typeof requestEntry>
export type StatusEntry = ReturnType<typeof statusEntries>[number]
export type CallbackEntry = ReturnType<typeof callbackEntry>
/** A fault, and what asked for it: `amount 5001`, or a fault that was added. */
export type Forced = ReturnType<typeof forced>

export function paymentDetails(payment: Payment, parts: SandboxParts, mask: Mask) {
  const { request, reference, processedAt, callbackUrl } = payment
  const { accountName, accountNumber } = request.account ?? {}
  const account = [accountName, accountNumber].filter(Boolean).join(' · ')
  return {
    ...rowOf(payment, parts.callbacks),
    operator: request.paymentOperatorCode ?? null,
    account: account === '' ? null : mask.text(account),
    reference,
    expireAt: payment.kind === 'payin' ? Date.parse(payment.expireAt) : null,
    processedAt: processedAt === undefined ? null : Date.parse(processedAt),
    callbackUrl: callbackUrl === undefined ? null : mask.url(callbackUrl),
    returnUrl: request.returnUrl === undefined ? null : mask.url(request.returnUrl),
  }
}

/** @param by which value of the payment is the magic one */
export function requestEntry(request: LoggedRequest, ledger: Ledger, by: string, mask: Mask) {
  const { at, method, path, headers, status = null, verdict = null, tookMs = null } = request
  const { what, isHarmless } = requestMeaning(request, ledger, mask)
  return {
    type: 'request' as const,
    /** Its number among the requests, where it is in full. */
    number: request.number,
    at,
    method,
    path: mask.text(path),
    isFromPage: isFromPage(headers),
    status,
    /** `OK`, or the code of the refusal. */
    verdict,
    arrival: request.arrival,
    what,
    /** A refusal after which nothing has to be done. */
    isHarmless,
    tookMs,
    fault: request.fault === undefined ? null : forced({ kind: request.fault, isMagic: request.isMagic }, by),
    /** In what a repeated create differs from the payment; empty when it asks for the same. */
    differs: createDifferences(request, ledger) ?? [],
    isMint: request.isMint,
  }
}

function forced({ kind, isMagic }: { kind: string; isMagic: boolean }, by: string) {
  return { kind, by: isMagic ? by : 'a fault that was added' }
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
  const { at, attempt, paymentStatus, response = null, error = null } = callback
  return {
    type: 'callback' as const,
    at,
    attempt,
    paymentStatus,
    /** Null while there is none. */
    response,
    responseBody: mask.responseBody(callback.responseBody),
    url: mask.url(callback.url),
    error: error === null ? null : mask.url(error),
    fix: callbackFix(callback),
    /** What sent it: a change of status, or somebody by hand. */
    source: origin.source,
    fault: origin.fault === undefined ? null : forced(origin.fault, by),
    isWithheld: delivery.isWithheld,
    method: request?.method ?? 'POST',
    headers: mask.headers(request?.headers ?? {}),
    body: mask.body(new TextEncoder().encode(request?.body ?? '')),
    tookMs: delivery.tookMs ?? null,
    nextTryAt: delivery.nextTryAt ?? null,
    isGivenUp: delivery.isGivenUp,
  }
}

type Result = Pick<SandboxCallback, 'response' | 'error'>

/** What to do about a callback that failed, by its status; the first row that fits counts. */
const byStatus: readonly (readonly [least: number, most: number, fix: string])[] = [
  [500, 599, 'Read the log of the receiver: it failed while it handled the payment.'],
  [
    404,
    404,
    'Compare the callbackUrl with the path that the receiver listens on. A CallbackReceiver also sends 404 for a URL that it has not signed: compare its secret.',
  ],
  [400, 499, 'The receiver did not take the callback: its log or its code says why.'],
  [100, 399, 'Only a 2xx counts, and redirects are not followed: give the URL of the receiver itself.'],
]

/** The same by the error where there was no response. */
const byError: readonly (readonly [pattern: RegExp, fix: string])[] = [
  [/ECONNREFUSED/, 'Nothing listens there: start the receiver, or correct host and port of the callbackUrl.'],
  [/ENOTFOUND|EAI_AGAIN/, 'The host has no address: correct its name in the callbackUrl.'],
  [
    /^No response within/,
    'Respond first and do slow work afterwards, or find out what the receiver waits for.',
  ],
  [/./, 'Check whether the receiver can be reached from here.'],
]

export function callbackFix({ response: status, error }: Result): string | null {
  if (status !== undefined) {
    if (status >= 200 && status < 300) return null
    return byStatus.find(([least, most]) => status >= least && status <= most)?.[2] ?? null
  }
  if (error === undefined) return null
  return byError.find(([pattern]) => pattern.test(error))?.[1] ?? null
}
