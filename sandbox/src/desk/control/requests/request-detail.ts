import type { LoggedRequest } from '../../../gateway/engine/logged-request.js'
import type { Mask } from '../mask/mask.js'
import type { RequestDetail, ShownMessage, TokenScope } from '../messages/requests.js'
import type { PageParts } from '../parts/parts.js'
import { signatureOf } from '../payments/signature-verdict.js'
import { paymentOf, requestMeaning, requestRow } from './request-row.js'
import { scopeLines } from './token-scope.js'

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
    mend: meaning.mend,
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

function shown(headers: Readonly<Record<string, string>>, body: Uint8Array, mask: Mask): ShownMessage {
  return {
    headers: Object.entries(headers).map(([name, value]) => [name, mask.named(name, value)]),
    body: mask.body(body),
  }
}

function scopeOf(request: LoggedRequest, mask: Mask): TokenScope | null {
  const { grant } = request
  if (grant === undefined) return null
  return {
    isMade: request.isMint,
    allows: scopeLines(grant.scope).map((line) => mask.text(line)),
    expiresAt: grant.expiresAtMs,
  }
}
