import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { Mask } from '../mask.js'
import type { PageParts } from '../parts.js'
import { shownHeaders } from '../payments/entries.js'
import { signatureOf } from '../payments/signature-verdict.js'
import { paymentOf, requestMeaning, requestRow } from './request-row.js'
import { scopeLines } from './token-scope.js'

/** One side of an exchange. */
export type ShownMessage = ReturnType<typeof shown>
/** A request in full. */
export type RequestDetail = ReturnType<typeof requestDetail>

/** A request in full, with its secrets masked. */
export function requestDetail(request: LoggedRequest, { ledger, clock }: PageParts, mask: Mask) {
  const { route = null, headers, duration, sentAnswer } = request
  const meaning = requestMeaning(request, ledger, mask)
  const payment = paymentOf(request, mask)
  return {
    ...requestRow(request, meaning, mask),
    /** How to fix it; null where nothing is to be fixed. */
    fix: meaning.fix,
    route,
    /** By the sandbox's clock; null where that runs with the real time. */
    tookOnClockMs: clock.mode === 'virtual' && duration !== undefined ? duration.clockMs : null,
    /** Only for requests for a token. */
    signature: request.isMint ? signatureOf(request) : null,
    scope: scopeOf(request, mask),
    request: shown(headers, request.bodyBytes, mask),
    /** Null while there is none. */
    answer: sentAnswer === undefined ? null : shown(sentAnswer.headers, Buffer.from(sentAnswer.body), mask),
    /** Whether the sandbox holds the payment. */
    isPaymentHeld: payment !== null && ledger.store(payment.kind).find(payment.id) !== undefined,
  }
}

function shown(headers: Readonly<Record<string, string>>, body: Uint8Array, mask: Mask) {
  return { headers: shownHeaders(headers, mask), body: mask.body(body) }
}

/** What a token allows; never the token. */
function scopeOf(request: LoggedRequest, mask: Mask) {
  const { grant } = request
  if (grant === undefined) return null
  return {
    /** Whether this request made the token, or came with it. */
    isMade: request.isMint,
    allows: scopeLines(grant.scope).map((line) => mask.text(line)),
    expiresAt: grant.expiresAtMs,
  }
}
