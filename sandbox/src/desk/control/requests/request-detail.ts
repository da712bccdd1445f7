import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { Mask } from '../mask.js'
import type { PageParts } from '../parts.js'
import { shownHeaders } from '../payments/entries.js'
import { type Signature, signatureOf } from '../payments/signature-verdict.js'
import { paymentOf, type RequestRow, requestMeaning, requestRow } from './request-row.js'
import { scopeLines } from './token-scope.js'

export type ShownMessage = ReturnType<typeof shown>

/** A request, or a callback that failed, in full. */
export interface RequestDetail extends RequestRow {
  /** How to fix it; null where nothing is to be fixed. */
  readonly fix: string | null
  readonly route: string | null
  /** By the sandbox's clock; null where that runs with the real time. */
  readonly tookOnClockMs: number | null
  /** Only for requests for a token. */
  readonly signature: Signature | null
  readonly scope: ReturnType<typeof scopeOf>
  readonly request: ShownMessage
  /** Null while there is none. */
  readonly answer: ShownMessage | null
  /** Only for a callback. */
  readonly callback: {
    readonly attempt: number
    readonly tries: number
    readonly paymentStatus: string
    readonly error: string | null
  } | null
  /** Whether the sandbox holds the payment. */
  readonly isPaymentHeld: boolean
}

/** A request in full, with its secrets masked. */
export function requestDetail(
  request: LoggedRequest,
  { ledger, clock }: PageParts,
  mask: Mask,
): RequestDetail {
  const { route = null, headers, duration, sentAnswer } = request
  const meaning = requestMeaning(request, ledger, mask)
  const payment = paymentOf(request, mask)
  return {
    ...requestRow(request, meaning, mask),
    fix: meaning.fix,
    route,
    tookOnClockMs: clock.mode === 'virtual' && duration !== undefined ? duration.clockMs : null,
    signature: request.isMint ? signatureOf(request) : null,
    scope: scopeOf(request, mask),
    request: shown(headers, request.bodyBytes, mask),
    answer: sentAnswer === undefined ? null : shown(sentAnswer.headers, Buffer.from(sentAnswer.body), mask),
    callback: null,
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
