import type { SandboxCallback } from '../callbacks/sender.js'
import type { LoggedRequest } from '../gateway/request-log.js'
import type { Payment } from '../payments/payment.js'
import { row } from './listing.js'
import type { Mask } from './mask.js'
import type { CallbackEntry, Entry, RequestEntry, StatusEntry, Story, Token } from './messages.js'
import type { PageParts } from './parts.js'
import { signatureOf } from './signature-verdict.js'

const MOST_ENTRIES = 400
// At the same millisecond a request comes before what it did, and a status before its callback.
const rank = { request: 0, status: 1, callback: 2 } as const

/** Everything that happened to one payment, as far as the logs still hold it. */
export function storyOf(payment: Payment, parts: PageParts, mask: Mask): Story {
  const entries: Entry[] = [
    ...requestsAbout(payment, parts.log.toArray()).map((request) => requestEntry(request, mask)),
    ...statusEntries(payment),
    ...parts.callbacks.log
      .filter(({ kind, id }) => kind === payment.kind && id === payment.id)
      .map((callback) => callbackEntry(callback, mask)),
  ]
  entries.sort((a, b) => a.at - b.at || rank[a.type] - rank[b.type])
  const omitted = Math.max(0, entries.length - MOST_ENTRIES)
  return { payment: details(payment, mask), entries: entries.slice(omitted), omitted }
}

function details(payment: Payment, mask: Mask): Story['payment'] {
  const { request, reference, processedAt, callbackUrl } = payment
  const { accountName, accountNumber } = request.account ?? {}
  const account = [
    accountName === undefined ? '' : mask.named('accountName', accountName),
    accountNumber === undefined ? '' : mask.named('accountNumber', accountNumber),
  ]
    .filter(Boolean)
    .join(' · ')
  return {
    ...row(payment),
    operator: request.paymentOperatorCode ?? null,
    account: account === '' ? null : account,
    reference,
    expireAt: payment.kind === 'payin' ? Date.parse(payment.expireAt) : null,
    processedAt: processedAt === undefined ? null : Date.parse(processedAt),
    callbackUrl: callbackUrl === undefined ? null : mask.url(callbackUrl),
    returnUrl: request.returnUrl === undefined ? null : mask.url(request.returnUrl),
  }
}

/** The requests for this payment, and those that made the tokens which came with them. */
function requestsAbout({ kind, id }: Payment, log: readonly LoggedRequest[]): LoggedRequest[] {
  const own = new Set(log.filter((request) => (kind === 'payin' ? request.idPayin : request.idPayout) === id))
  const tokens = new Set([...own].map(({ grant }) => grant?.idToken).filter(Boolean))
  return log.filter(
    (request) => own.has(request) || (isMint(request) && tokens.has(request.grant?.idToken ?? '')),
  )
}

function isMint({ route }: LoggedRequest): boolean {
  return route === 'POST /auth-tokens' || route === 'POST /auth-tokens-by-action'
}

function requestEntry(request: LoggedRequest, mask: Mask): RequestEntry {
  const { at, method, path, headers, status = null, verdict = null, fault = null } = request
  return {
    type: 'request',
    at,
    method,
    path: mask.text(path),
    headers: Object.entries(headers).map(([name, value]) => [name, mask.named(name, value)]),
    body: mask.body(request.bodyBytes),
    status,
    verdict,
    fault,
    signature: isMint(request) ? signatureOf(headers, verdict) : null,
    token: tokenOf(request, mask),
  }
}

function tokenOf(request: LoggedRequest, mask: Mask): Token | null {
  const { grant } = request
  if (grant === undefined) return null
  const { idToken: jti, expiresAtMs, scope } = grant
  return {
    made: isMint(request),
    claims: mask.text(JSON.stringify({ jti, exp: expiresAtMs / 1000, ...scope }, null, 2)),
    expiresAt: expiresAtMs,
  }
}

function statusEntries({ history }: Payment): StatusEntry[] {
  return history.map(({ status, at }, index) => ({
    type: 'status',
    at,
    status,
    before: history[index - 1]?.status ?? null,
  }))
}

function callbackEntry(callback: SandboxCallback, mask: Mask): CallbackEntry {
  const { at, attempt, paymentStatus, answer = null, error = null } = callback
  return { type: 'callback', at, url: mask.url(callback.url), attempt, paymentStatus, answer, error }
}
